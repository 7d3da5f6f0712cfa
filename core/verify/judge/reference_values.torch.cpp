#include "verify/judge/reference_values.h"

#include "ir/printer.h"
#include "ops/op_table.h"
#include "verify/judge/comparison.h"

namespace aotscope {

namespace {

/// The arguments except nodes.
std::vector<Argument> argumentLiterals(const Node& node) {
    const auto blank = [](Node*) { return Argument("%"); };
    std::vector<Argument> literals;
    for (const Argument& a : node.args()) literals.push_back(mapNodes(a, blank));
    for (const auto& [key, a] : node.kwargs()) {
        literals.emplace_back(key);
        literals.push_back(mapNodes(a, blank));
    }
    return literals;
}

std::vector<const Node*> operandsOf(const Node& node) {
    std::vector<const Node*> operands;
    const auto add = [&](const Node* n) { operands.push_back(n); };
    for (const Argument& a : node.args()) forEachNode(a, add);
    for (const auto& [key, a] : node.kwargs()) forEachNode(a, add);
    return operands;
}

}  // namespace

SnapshotValues::SnapshotValues(std::vector<const Graph*> graphs) : graphs_(std::move(graphs)) {
    for (const Graph* graph : graphs_)
        for (const Node* node : graph->nodes())
            writes_ = writes_ || (node->kind() == NodeKind::call && isMutating(node->op()));
}

void SnapshotValues::add(const Node& node, const c10::IValue& value) {
    values_[node.id()] = writes_ && isTensor(value) ? c10::IValue(value.toTensor().clone()) : value;
}

void SnapshotValues::measure(const std::function<NamedTensors(const Arithmetic&)>& run) {
    noise_.emplace();
    const auto still = [this] {
        NamedTensors named;
        for (const auto& [id, value] : values_)
            if (isTensor(value)) named.emplace_back(std::to_string(id), value.toTensor());
        return named;
    };
    noise_->measure(true, still, run);
}

Tolerance SnapshotValues::toleranceOf(const Node& node) const {
    return noise_ ? Tolerance{&*noise_, true, noiseName(node)} : kUnmeasurable;
}

const Node* SnapshotValues::find(NodeId id) const {
    for (const Graph* graph : graphs_)
        if (const Node* node = graph->findById(id)) return node;
    return nullptr;
}

std::string SnapshotValues::missingFrom(const Graph& graph) const {
    for (const Graph* before : graphs_)
        for (const Node* node : before->nodes())
            if (node->kind() == NodeKind::call && isMutating(node->op()) && !graph.findById(node->id()))
                return "this pass removed %" + node->name() + " = " + node->op();
    return "no single node is to blame";
}

Judgement SnapshotValues::judge(const Node& node, const c10::IValue& value) const {
    const auto it = values_.find(node.id());
    if (it == values_.end() || isMeaningless(node)) return {};
    auto difference = compareValues("%" + node.name(), it->second, value, toleranceOf(node));
    return {difference ? Verdict::bad : Verdict::good, std::move(difference)};
}

bool SnapshotValues::equal(const Node& a, const Node& b) const {
    const auto x = values_.find(a.id()), y = values_.find(b.id());
    return a.id() == b.id() ||
           (x != values_.end() && y != values_.end() && !compareValues({}, x->second, y->second, toleranceOf(b)));
}

OperationChange SnapshotValues::changeOf(const Node& node) const {
    const Node* before = find(node.id());
    if (!before) return {};
    const auto now = operandsOf(node), then = operandsOf(*before);
    OperationChange change;
    if (before->op() != node.op() || argumentLiterals(*before) != argumentLiterals(node) || now.size() != then.size()) {
        change.literals = true;
        change.text = "before this pass it was " + before->op() + "(" + printArguments(*before) + "), now it is " +
                      node.op() + "(" + printArguments(node) + ")";
        return change;
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (equal(*now[i], *then[i])) continue;
        change.now = now[i];
        change.before = then[i];
        change.text = "it takes %" + now[i]->name() + " in place of %" + then[i]->name();
        return change;
    }
    return change;
}

}  // namespace aotscope
