#include "record/history/node_history.h"

#include "ir/diff.h"
#include "ir/printer.h"
#include "support/enumerators.h"

#include <algorithm>
#include <optional>

namespace aotscope {

namespace {

using State = HistoryStep::State;

GraphKind kindAt(const HistoryStep& step) { return step.where.kind; }

std::string namesOf(const Graph& graph, const std::vector<NodeId>& nodes) {
    constexpr std::size_t shown = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, nodes.size()); ++i)
        text += (text.empty() ? "%" : ", %") + graph.findById(nodes[i])->name();
    return nodes.size() > shown ? text + ", ..." : text;
}

/// A node that is only in the forward is not missing from the backward, and vice versa.
void markOtherHalves(std::vector<HistoryStep>& steps) {
    const auto half = [&](GraphKind kind) { return std::ranges::find(steps, kind, kindAt); };
    const auto forward = half(GraphKind::forward), backward = half(GraphKind::backward);
    if (forward == steps.end() || backward == steps.end() || forward->nodes.empty() == backward->nodes.empty()) return;
    HistoryStep& other = forward->nodes.empty() ? *forward : *backward;
    other.state = State::absent;
    other.text = "in the other half";
}

/// How the node changed since `before`, with the same text as in the difference of the two graphs.
void compareSteps(NodeFollower& follower, const HistoryStep& before, HistoryStep& now) {
    const Graph &from = *before.where.graph, &to = *now.where.graph;
    const Node &old = *from.findById(before.nodes.front()), &young = *to.findById(now.nodes.front());
    if (LevelMap::keepsIds(*follower.record(), from, before.where.kind, to, now.where.kind)) {
        now.change = describeChange(old, young, [](const Node& x, const Node& y) { return x.id() == y.id(); });
        now.state = now.change.empty() ? State::unchanged : State::changed;
        return;
    }
    const LevelMap& map = follower.mapOf(before.where.graph, before.where.kind, now.where.graph, now.where.kind);
    for (const NodeId node : before.nodes)
        if (const Replacement* replacement = map.replacementOf(node)) {
            now.state = State::replaced;
            now.change = describeReplacement(*replacement, from, to);
            return;
        }
    now.change = map.changeOf(old, young);
    now.state = now.change.empty() ? State::unchanged : State::changed;
}

}  // namespace

std::string_view name(HistoryStep::State state) {
    return state == HistoryStep::State::absent ? "not there" : spelled(state);
}

std::vector<HistoryStep> historyOf(NodeFollower& follower, const std::shared_ptr<const Graph>& graph, GraphKind kind,
                                   NodeId node) {
    std::vector<HistoryStep> steps;
    std::optional<HistoryStep> seen;  // the latest graph that has it
    for (const PassGraph& where : graphsOf(*follower.record())) {
        using How = Followed::How;
        HistoryStep step;
        step.where = where;
        const Followed found = follower.follow(graph, kind, node, where.graph, where.kind);
        if (found.how == How::same || found.how == How::replaced) {
            step.nodes = found.nodes;
            step.text = found.nodes.size() > 1 ? namesOf(*where.graph, found.nodes)
                                               : printNode(*where.graph->findById(found.first()));
            if (seen) compareSteps(follower, *seen, step);
            else step.state = State::appears;
            seen = step;
        } else if (seen) {
            // What a value is computed from is a different value.
            step.state = State::gone;
            if (found.how == How::merged) step.change = "merged into " + namesOf(*where.graph, found.nodes);
            else if (!found.nodes.empty()) step.text = "computed from " + namesOf(*where.graph, found.nodes);
        }
        steps.push_back(std::move(step));
    }
    markOtherHalves(steps);
    return steps;
}

}  // namespace aotscope
