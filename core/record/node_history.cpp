#include "record/node_history.h"

#include "ir/printer.h"

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

using State = HistoryStep::State;

/// Without names, which a new trace gives anew.
std::string comparable(const Node& node) {
    std::string op(shortOpName(node.op()));
    std::string text = op + " " + printType(node.type);
    for (const Argument& argument : node.args()) text += argument.node() ? " %" : " " + printArgument(argument);
    return text;
}

GraphKind kindOf(const HistoryStep& step) { return step.where.kind; }

std::string namesOf(const Graph& graph, const std::vector<NodeId>& nodes) {
    constexpr std::size_t shown = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, nodes.size()); ++i)
        text += (text.empty() ? "%" : ", %") + graph.findById(nodes[i])->name();
    return nodes.size() > shown ? text + ", ..." : text;
}

/// What is in the forward only is not gone from the backward, and the other way round.
void markOtherHalves(std::vector<HistoryStep>& steps) {
    const auto half = [&](GraphKind kind) { return std::ranges::find(steps, kind, kindOf); };
    const auto forward = half(GraphKind::forward), backward = half(GraphKind::backward);
    if (forward == steps.end() || backward == steps.end() || forward->nodes.empty() == backward->nodes.empty()) return;
    HistoryStep& other = forward->nodes.empty() ? *forward : *backward;
    other.state = State::absent;
    other.text = "in the other half";
}

}  // namespace

std::string_view name(HistoryStep::State state) {
    constexpr std::array<std::string_view, 6> names = {"not there", "appears",         "unchanged",
                                                       "changed",   "becomes several", "gone"};
    return names.at(static_cast<std::size_t>(state));
}

std::vector<HistoryStep> historyOf(NodeFollower& follower, const std::shared_ptr<const Graph>& graph, GraphKind kind,
                                   NodeId node) {
    std::vector<HistoryStep> steps;
    std::size_t lastCount = 0;  // of the nodes that stood for it where it was seen last
    std::string lastText;
    for (const PassGraph& where : graphsOf(*follower.record())) {
        HistoryStep step;
        step.where = where;
        const Followed found = follower.follow(graph, kind, node, where.graph, where.kind);
        // What a value is computed from is not the value itself.
        const bool here = found.how != Followed::How::lost &&
                          !(found.how == Followed::How::cameFrom && shareIds(*graph, kind, *where.graph, where.kind));
        if (here) {
            const Node& first = *where.graph->findById(found.first());
            const std::string text = comparable(first);
            step.nodes = found.nodes;
            step.state = lastCount == 0                   ? State::appears
                         : found.nodes.size() > lastCount ? State::split
                         : text != lastText               ? State::changed
                                                          : State::unchanged;
            step.text = found.nodes.size() > 1 ? namesOf(*where.graph, found.nodes) : printNode(first);
            lastText = text;
            lastCount = found.nodes.size();
        } else if (lastCount > 0) {
            step.state = State::gone;
            if (!found.nodes.empty()) step.text = "computed from " + namesOf(*where.graph, found.nodes);
        }
        steps.push_back(std::move(step));
    }
    markOtherHalves(steps);
    return steps;
}

}  // namespace aotscope
