#include "execute/register_map.h"

#include "ops/op_table.h"

namespace aotscope {

RegisterMap::RegisterMap(const Graph& graph) {
    for (const Node* node : graph.nodes()) {
        assign(*node);
        if (node->kind() == NodeKind::call && !isGetitem(*node)) steps_.push_back(node);
    }
    findLastUses(graph);
}

void RegisterMap::assign(const Node& node) {
    if (node.kind() == NodeKind::output) return;
    const auto* index = isGetitem(node) ? node.args()[1].integer() : nullptr;
    if (!index && node.type.tuple()) return;
    const auto next = static_cast<Register>(nodes_.size());
    const Register own = index ? elements_.try_emplace({node.args()[0].node(), *index}, next).first->second : next;
    if (own == next) nodes_.push_back(&node);
    registers_[&node] = own;
}

void RegisterMap::findLastUses(const Graph& graph) {
    lastUse_.assign(nodes_.size(), kNotUsed);
    for (std::size_t step = 0; step < steps_.size(); ++step)
        for (const Node* input : steps_[step]->inputs())
            if (const Register r = of(input); r != kUnused) lastUse_[registerIndex(r)] = step + 1;
    for (const Argument& output : graph.outputs())
        if (const Register r = output.node() ? of(output.node()) : kUnused; r != kUnused)
            lastUse_[registerIndex(r)] = kReturned;
}

Register RegisterMap::of(const Node* node) const {
    const auto it = registers_.find(node);
    return it == registers_.end() ? kUnused : it->second;
}

Register RegisterMap::element(const Node* tuple, std::size_t index) const {
    const auto it = elements_.find({tuple, static_cast<std::int64_t>(index)});
    return it == elements_.end() ? kUnused : it->second;
}

bool RegisterMap::mayOverwriteFirst(std::size_t step) const {
    const Node& node = *steps_[step];
    return !node.args().empty() && mayOverwrite(node.args()[0].node(), step);
}

bool RegisterMap::mayOverwrite(const Node* operand, std::size_t step) const {
    const Node& node = *steps_[step];
    const Register r = operand ? of(operand) : kUnused;
    if (r == kUnused || !endsAt(r, step)) return false;
    int uses = 0;
    const auto count = [&](const Node* other) { uses += of(other) == r; };
    for (const Argument& argument : node.args()) forEachNode(argument, count);
    for (const auto& [key, argument] : node.kwargs()) forEachNode(argument, count);
    return uses == 1;
}

}  // namespace aotscope
