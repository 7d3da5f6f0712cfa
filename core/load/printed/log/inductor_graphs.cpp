#include "load/printed/log/inductor_graphs.h"

#include "ir/output_names.h"
#include "load/printed/log/pass_lineage.h"
#include "load/printed/log/pass_name.h"
#include "load/printed/syntax/nested_graphs.h"
#include "load/printed/syntax/roles.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

constexpr int kLastOfPreGrad = 4, kLastOfJoint = 6;  ///< last stages of pre-grad and of joint names

/// "after-joint" for "after_joint_graph"; for graphs printed after a pass, the name of the pass.
std::string passTitleOf(std::string name) {
    if (constexpr std::string_view graph = "_graph"; name.ends_with(graph)) name.resize(name.size() - graph.size());
    std::ranges::replace(name, '_', '-');
    return name;
}

/// Nodes that passes have added and that are also in the halves have the same ids there.
void findInHalves(const Graph& graph, const std::vector<const Graph*>& halves, Origins& origins) {
    std::unordered_map<std::string_view, const Node*> known;
    for (const Graph* half : halves)
        for (const Node* node : half->nodes())
            if (node->kind() == NodeKind::call) known.try_emplace(node->name(), node);
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Node* node = graph.at(i);
        if (origins[i] || node->kind() != NodeKind::call) continue;
        if (const auto it = known.find(node->name()); it != known.end() && it->second->op() == node->op())
            origins[i] = it->second;
    }
}

void takeFacts(const Graph& graph, const Origins& origins) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Node* origin = origins[i];
        Node* node = graph.at(i);
        if (!origin) continue;
        node->stage = origin->stage;
        if (node->kind() != NodeKind::placeholder) continue;
        node->role = origin->role;
        node->label = origin->label;
    }
}

}  // namespace

InductorStages::InductorStages(const std::map<GraphKind, std::shared_ptr<Graph>>& graphs)
    : graphs_(graphs.begin(), graphs.end()) {
    for (const auto& [kind, graph] : graphs_)
        for (const Node* node : graph->nodes()) next_ = std::max(next_, node->id() + 1);
}

void InductorStages::add(PrintedModule& module, const PrintedSection& section) {
    const int stage = readPassName(section.title).stage;
    const bool pre = section.kind == PrintedKind::preGrad, post = section.kind == PrintedKind::postGrad;
    auto& list = pre || (!post && stage <= kLastOfPreGrad) ? found_.preGrad
                 : !post && stage <= kLastOfJoint          ? found_.joint
                                                           : found_.postGrad;
    const GraphKind kind = &list == &found_.preGrad             ? GraphKind::source
                           : &list == &found_.postGrad          ? halfOfPostGrad()
                           : graphs_.contains(GraphKind::joint) ? GraphKind::joint
                                                                : GraphKind::inference;
    postGrads_ += post;
    const Graph* before = referenceFor(list, kind);
    const std::string title = pre || post ? std::string() : passTitleOf(section.title);
    const auto graph = finished(module, title.empty() ? (pre ? "pre-grad" : "post-grad") : title, kind, before);
    const bool changed = !before || !sameStructure(*before, *graph);
    if (!changed && section.kind == PrintedKind::pass && section.title.starts_with("before")) return;
    list.push_back({title, kind, graph, before != nullptr, changed});
}

const Graph* InductorStages::referenceFor(const std::vector<InductorGraph>& list, GraphKind kind) const {
    const auto last = std::find_if(list.rbegin(), list.rend(), [&](const InductorGraph& g) { return g.kind == kind; });
    if (last != list.rend()) return last->graph.get();
    // The passes over the inference graph precede those that Inductor calls post-grad.
    if (&list == &found_.postGrad)
        if (const Graph* joint = kind == GraphKind::inference ? referenceFor(found_.joint, kind) : nullptr)
            return joint;
    const auto own = graphs_.find(kind);
    return own == graphs_.end() ? nullptr : own->second.get();
}

/// Inductor compiles the forward first.
GraphKind InductorStages::halfOfPostGrad() const {
    const bool training = graphs_.contains(GraphKind::joint) || graphs_.contains(GraphKind::backward);
    if (!training) return GraphKind::inference;
    return postGrads_ == 0 ? GraphKind::forward : GraphKind::backward;
}

std::shared_ptr<const Graph> InductorStages::finished(PrintedModule& module, const std::string& name, GraphKind kind,
                                                      const Graph* before) {
    const bool sameOutputs = before && before->outputs().size() == module.outputs.size();
    Origins origins(module.graph->size(), nullptr);
    if (before) origins = originsOf(*before, *module.graph);
    if (kind == GraphKind::joint) {
        std::vector<const Graph*> halves;
        for (const auto half : {GraphKind::forward, GraphKind::backward})
            if (const auto it = graphs_.find(half); it != graphs_.end()) halves.push_back(it->second.get());
        findInHalves(*module.graph, halves, origins);
    }
    takeFacts(*module.graph, origins);
    completeGraph(module, name, sameOutputs ? before->outputSlots() : userOutputs(module.outputs.size()));
    Graph& graph = *module.graph;
    origins.push_back(before ? before->output() : nullptr);
    if (kind == GraphKind::joint) {
        setStages(graph, graph.forwardOutputCount());
        linkBackward(graph);
    } else if (kind == GraphKind::backward) {
        for (Node* node : graph.nodes())
            if (node->kind() == NodeKind::call) node->stage = Stage::backward;
    }
    continueLineage(origins, graph, next_);
    graph.indexIds();
    return std::move(module.graph);
}

}  // namespace aotscope
