#include "load/printed/roles.h"

#include "ops/op_table.h"
#include "partition/classify.h"

#include <algorithm>

namespace aotscope {

namespace {

/// "l.weight" of "ParamAOTInput(target='l.weight')".
std::string targetOf(std::string_view note) {
    constexpr std::string_view key = "target='";
    const auto at = note.find(key);
    if (at == std::string_view::npos) return {};
    note.remove_prefix(at + key.size());
    return std::string(note.substr(0, note.find('\'')));
}

std::string_view bareName(const Node& node) {
    auto name = shortOpName(node.op());
    while (name.starts_with('_')) name.remove_prefix(1);
    return name;
}

/// Whether `backward` is named after `forward`: native_batch_norm_backward, convolution_backward.
bool namedAfter(const Node& backward, const Node& forward) {
    constexpr std::string_view suffix = "_backward";
    constexpr std::size_t telling = 4;  // letters: "t" begins many names
    auto name = bareName(backward);
    const auto at = name.find(suffix);
    if (at == std::string_view::npos) return false;
    name = name.substr(0, at);
    const auto other = bareName(forward);
    return other.find(name) != std::string_view::npos || (other.size() >= telling && name.starts_with(other));
}

}  // namespace

std::unordered_set<const Node*> dependOnTangents(const Graph& graph) {
    std::unordered_set<const Node*> dependent;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Node* node = graph.at(i);
        const bool uses = std::any_of(node->inputs().begin(), node->inputs().end(),
                                      [&](const Node* n) { return dependent.contains(n); });
        if (uses || node->role == Role::tangent) dependent.insert(node);
    }
    return dependent;
}

void setPlaceholderRoles(PrintedModule& module, bool backward) {
    for (Node* node : module.graph->placeholders()) {
        const auto it = module.inputNotes.find(node);
        const std::string note = it == module.inputNotes.end() ? std::string() : it->second;
        if (note.starts_with("name=")) node->label = note.substr(5);
        if (const auto target = targetOf(note); !target.empty()) node->label = target;
        if (node->name().starts_with("tangents_") || note.starts_with("TangentAOTInput")) node->role = Role::tangent;
        else if (backward) node->role = node->type.scalar() ? Role::savedSymint : Role::saved;
        else if (note.starts_with("ParamAOTInput")) node->role = Role::parameter;
        else if (note.starts_with("BufferAOTInput")) node->role = Role::buffer;
        else node->role = Role::userInput;
    }
}

std::size_t forwardOutputsOf(const PrintedModule& joint) {
    const auto placeholders = joint.graph->placeholders();
    const auto primals = static_cast<std::size_t>(std::count_if(
        placeholders.begin(), placeholders.end(), [](const Node* n) { return n->role != Role::tangent; }));
    const auto dependent = dependOnTangents(*joint.graph);
    const auto total = joint.outputs.size();
    std::size_t count = total - std::min(primals, total);
    for (std::size_t i = 0; i < count; ++i)
        if (const Node* node = joint.outputs[i].node(); node && dependent.contains(node)) count = i;
    return count;
}

void setStages(Graph& joint, std::size_t forwardOutputs) {
    const auto nodes = joint.nodes();
    const auto dependent = dependOnTangents(joint);
    std::unordered_set<const Node*> needed;
    for (std::size_t i = 0; i < std::min(forwardOutputs, joint.outputs().size()); ++i)
        if (const Node* node = joint.outputs()[i].node()) needed.insert(node);
    std::size_t last = 0;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const Node* node = nodes[i];
        if (dependent.contains(node) || node->kind() == NodeKind::output) continue;
        if (hasEffect(*node) || drawsRandomNumbers(*node)) needed.insert(node);
        if (!needed.contains(node)) continue;
        needed.insert(node->inputs().begin(), node->inputs().end());
        last = std::max(last, i);
    }
    // Copies that autograd kept of the last results were traced with the forward, too.
    while (last + 1 < nodes.size() && nodes[last + 1]->isCall("aten.detach.default") &&
           !dependent.contains(nodes[last + 1]))
        ++last;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i]->stage = dependent.contains(nodes[i]) || (i > last && nodes[i]->kind() != NodeKind::placeholder)
                              ? Stage::backward
                              : Stage::forward;
}

void linkBackward(Graph& joint) {
    std::unordered_map<const SourceInfo*, std::vector<Node*>> forward;
    const auto nodes = joint.nodes();
    for (Node* node : nodes)
        if (node->kind() == NodeKind::call && node->stage == Stage::forward && node->source && !isGetitem(*node))
            forward[node->source.get()].push_back(node);
    const auto sameLine = [](const Node* a, const Node* b) { return a->source && a->source == b->source; };
    // The operation behind a value, through its elements, views and copies.
    const auto maker = [](Node* node) {
        while (node->inputs().size() == 1 && (isGetitem(*node) || node->isCall("aten.detach.default")))
            node = node->inputs()[0];
        return node;
    };
    for (Node* node : nodes) {
        if (node->kind() != NodeKind::call || node->stage != Stage::backward) continue;
        const auto candidates = forward.find(node->source.get());
        if (!node->source || candidates == forward.end()) continue;
        const Node* partner = nullptr;
        for (const Node* candidate : candidates->second)
            if (namedAfter(*node, *candidate)) partner = candidate;
        for (Node* input : node->inputs()) {
            if (partner) break;
            if (const Node* made = maker(input); made->stage == Stage::forward && sameLine(made, node)) partner = made;
        }
        for (const Node* input : node->inputs()) {
            if (partner) break;
            if (input->stage == Stage::backward && input->autograd.forward != kNoNode && sameLine(input, node))
                partner = joint.findById(input->autograd.forward);
        }
        node->autograd.forward = (partner ? partner : candidates->second.back())->id();
    }
}

void numberStorages(Graph& graph) {
    std::int64_t next = 0;
    for (Node* node : graph.nodes()) {
        TensorType* type = node->type.tensor();
        if (!type) continue;
        // An element of a tuple shares memory with whatever the operation that makes the tuple does.
        const Node* maker = isGetitem(*node) && !node->inputs().empty() ? node->inputs()[0] : node;
        const bool view = (hasTag(*maker, kView) || maker->isCall("aten.detach.default")) && !maker->inputs().empty();
        const TensorType* base = view ? maker->inputs()[0]->type.tensor() : nullptr;
        type->storage = base ? base->storage : next++;
        if (base) {
            type->storageBytes = base->storageBytes;
            continue;
        }
        std::int64_t elements = type->numel() == 0 ? 0 : 1;
        for (std::size_t i = 0; i < type->sizes.size() && elements; ++i)
            elements += (type->sizes[i] - 1) * type->strides[i];
        type->storageBytes = elements * static_cast<std::int64_t>(itemSize(type->dtype));
    }
}

void setTupleTypes(Graph& graph) {
    constexpr std::int64_t most = 10'000;
    for (Node* node : graph.nodes()) {
        if (node->kind() != NodeKind::call || node->type.known() || node->users().empty()) continue;
        TupleType elements;
        const bool all = std::all_of(node->users().begin(), node->users().end(), [&](const Node* user) {
            const auto* index = isGetitem(*user) && user->args().size() == 2 ? user->args()[1].integer() : nullptr;
            if (!index || *index < 0 || *index >= most || user->args()[0].node() != node) return false;
            const auto i = static_cast<std::size_t>(*index);
            if (elements.size() <= i) elements.resize(i + 1);
            elements[i] = user->type;
            return true;
        });
        if (all) node->type.data = std::move(elements);
    }
}

}  // namespace aotscope
