#include "cost/profile/compiled_operators.h"

#include <algorithm>
#include <map>

namespace aotscope {

namespace {

/// Operators that can be the same calls.
struct InterchangeableCalls {
    std::vector<std::size_t> calls;
    std::vector<CompiledOperator*> operators;
};

using DependsOn = std::vector<bool>;

/// For each call of a kind, how many others of it the call depends on, and how many depend on it.
struct DependencyCounts {
    std::vector<std::size_t> before, after;
};

DependencyCounts orderOf(const GraphCalls& graph, const std::vector<std::size_t>& calls) {
    std::unordered_map<const Node*, std::size_t> number;
    for (std::size_t i = 0; i < calls.size(); ++i) number.emplace(graph.calls[calls[i]].node, i);
    std::unordered_map<const Node*, DependsOn> above;  // of the kind, those that a node depends on
    DependencyCounts order{std::vector<std::size_t>(calls.size()), std::vector<std::size_t>(calls.size())};
    for (const Node* node : graph.graph->nodes()) {
        DependsOn bits(calls.size());
        for (const Node* input : node->inputs()) {
            const DependsOn& others = above.at(input);
            for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = bits[i] || others[i];
        }
        if (const auto own = number.find(node); own != number.end()) {
            for (std::size_t i = 0; i < bits.size(); ++i) {
                order.before[own->second] += bits[i];
                order.after[i] += bits[i];
            }
            bits[own->second] = true;
        }
        above.emplace(node, std::move(bits));
    }
    return order;
}

/// Each place in the order of time belongs to the calls that can be there; places that share a call belong together.
void placeKind(const GraphCalls& graph, InterchangeableCalls& kind) {
    const std::size_t count = kind.operators.size();
    if (count != kind.calls.size()) return;  // some are computed in another way, and nothing says which
    const DependencyCounts order = orderOf(graph, kind.calls);
    for (std::size_t begin = 0; begin < count;) {
        // The last place of a group is one that no call can be on both sides of.
        std::size_t end = begin + 1;
        for (bool grows = true; grows;) {
            grows = false;
            for (std::size_t call = 0; call < count; ++call) {
                const std::size_t first = order.before[call], last = count - 1 - order.after[call];
                if (first < end && last >= end) end = last + 1, grows = true;
            }
        }
        std::vector<std::size_t> group;
        for (std::size_t call = 0; call < count; ++call)
            if (order.before[call] >= begin && order.before[call] < end) group.push_back(kind.calls[call]);
        if (group.size() == end - begin)
            for (std::size_t i = begin; i < end; ++i) kind.operators[i]->calls = group;
        begin = end;
    }
}

}  // namespace

void placeOperators(const GraphCalls& graph, std::vector<CompiledOperator>& operators,
                    const std::function<bool(const CompiledOperator&, std::size_t call)>& fits) {
    std::map<std::vector<std::size_t>, InterchangeableCalls> kinds;
    std::vector<std::size_t> kindsWith(graph.calls.size());
    for (CompiledOperator& each : operators) {
        std::vector<std::size_t> calls;
        for (std::size_t call = 0; call < graph.calls.size(); ++call)
            if (fits(each, call)) calls.push_back(call);
        InterchangeableCalls& kind = kinds[calls];
        if (kind.operators.empty())
            for (const std::size_t call : calls) ++kindsWith[call];
        kind.calls = std::move(calls);
        kind.operators.push_back(&each);
    }
    for (auto& [calls, kind] : kinds)
        if (std::ranges::all_of(calls, [&](std::size_t call) { return kindsWith[call] == 1; })) placeKind(graph, kind);
}

}  // namespace aotscope
