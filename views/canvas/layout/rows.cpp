#include "canvas/layout/rows.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace aotscope {

namespace {

using Index = std::size_t;

/// Groups of nodes that share a row, and which groups must be above which.
struct Constraints {
    std::vector<int> group;               ///< of each node
    std::vector<std::vector<int>> below;  ///< per group
    std::vector<int> indegree;
};

bool isBackward(const DrawnGraph& graph, int node) {
    return graph.nodes[static_cast<Index>(node)].stage == Stage::backward;
}

/// Flow edges as (upper, lower): forward edges as they are, backward edges reversed.
template <typename Visit>
void forEachOrder(const DrawnGraph& graph, Visit&& visit) {
    for (const auto& edge : graph.edges) {
        if (edge.kind != DrawnEdge::Kind::flow) continue;
        if (isBackward(graph, edge.from)) visit(edge.to, edge.from);
        else visit(edge.from, edge.to);
    }
}

Constraints constraintsFor(const DrawnGraph& graph, const std::vector<bool>& merged) {
    Constraints c;
    c.group.resize(graph.nodes.size());
    std::iota(c.group.begin(), c.group.end(), 0);
    for (Index i = 0; i < graph.nodes.size(); ++i)
        if (merged[i]) c.group[i] = graph.nodes[i].partner;
    c.below.resize(graph.nodes.size());
    c.indegree.assign(graph.nodes.size(), 0);
    forEachOrder(graph, [&](int upper, int lower) {
        const int a = c.group[static_cast<Index>(upper)], b = c.group[static_cast<Index>(lower)];
        c.below[static_cast<Index>(a)].push_back(b);
        ++c.indegree[static_cast<Index>(b)];
    });
    return c;
}

/// Groups in an order that satisfies the constraints; shorter than the number of groups if there is a cycle.
std::vector<int> topologicalOrder(Constraints c) {
    std::vector<int> order;
    for (Index g = 0; g < c.indegree.size(); ++g)
        if (c.indegree[g] == 0) order.push_back(static_cast<int>(g));
    for (Index i = 0; i < order.size(); ++i)
        for (int lower : c.below[static_cast<Index>(order[i])])
            if (--c.indegree[static_cast<Index>(lower)] == 0) order.push_back(lower);
    return order;
}

/// Drops pairs that contradict the flow, a few at a time, until an order exists.
std::pair<Constraints, std::vector<int>> solvableConstraints(const DrawnGraph& graph) {
    std::vector<bool> merged(graph.nodes.size());
    for (Index i = 0; i < graph.nodes.size(); ++i) merged[i] = graph.nodes[i].partner >= 0;
    for (;;) {
        Constraints c = constraintsFor(graph, merged);
        std::vector<int> order = topologicalOrder(c);
        if (order.size() == graph.nodes.size()) return {std::move(c), std::move(order)};
        std::vector<bool> placed(graph.nodes.size(), false);
        for (int g : order) placed[static_cast<Index>(g)] = true;
        bool gaveUp = false;
        for (Index i = 0; i < graph.nodes.size() && !gaveUp; ++i)
            if (merged[i] && !placed[static_cast<Index>(graph.nodes[i].partner)]) merged[i] = false, gaveUp = true;
        if (!gaveUp) return {std::move(c), std::move(order)};
    }
}

std::vector<int> longestPaths(const Constraints& c, const std::vector<int>& order) {
    std::vector<int> rows(c.below.size(), 0);
    for (int g : order)
        for (int lower : c.below[static_cast<Index>(g)])
            rows[static_cast<Index>(lower)] =
                std::max(rows[static_cast<Index>(lower)], rows[static_cast<Index>(g)] + 1);
    return rows;
}

/// Lowers nodes that nothing keeps up: forward inputs to their first user, backward side chains to what feeds them.
void pullDown(const DrawnGraph& graph, const Constraints& c, const std::vector<int>& order, std::vector<int>& rows) {
    std::vector<bool> pinned(c.below.size(), false), hasAbove(c.below.size(), false);
    for (Index i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i].stage == Stage::forward || c.group[i] != static_cast<int>(i))
            pinned[static_cast<Index>(c.group[i])] = true;
    for (const auto& lowers : c.below)
        for (int lower : lowers) hasAbove[static_cast<Index>(lower)] = true;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        const auto g = static_cast<Index>(*it);
        if (c.below[g].empty() || (pinned[g] && hasAbove[g])) continue;
        int lowest = std::numeric_limits<int>::max();
        for (int lower : c.below[g]) lowest = std::min(lowest, rows[static_cast<Index>(lower)] - 1);
        rows[g] = std::max(rows[g], lowest);
    }
}

/// Groups that depend on the source `g` alone: all their uppers are `g` or depend on it alone, too.
std::vector<int> ownedBy(int g, const Constraints& c) {
    std::vector<int> owned{g};
    std::map<int, int> open;  // uppers of a group that are not in the set yet
    for (Index i = 0; i < owned.size(); ++i)
        for (int lower : c.below[static_cast<Index>(owned[i])])
            if (--open.try_emplace(lower, c.indegree[static_cast<Index>(lower)]).first->second == 0)
                owned.push_back(lower);
    return owned;
}

/// Groups that nothing in the forward keeps up; what is above their backward part may be further away.
std::vector<bool> sources(const DrawnGraph& graph, const Constraints& c) {
    std::vector<bool> found;
    for (Index g = 0; g < c.below.size(); ++g)
        found.push_back(c.indegree[g] == 0 || !isBackward(graph, static_cast<int>(g)));
    for (const auto& edge : graph.edges)
        if (edge.kind == DrawnEdge::Kind::flow && !isBackward(graph, edge.to))
            found[static_cast<Index>(edge.to)] = false;
    return found;
}

/// Moves `members` down together, to their nearest lower neighbour.
void sink(const std::vector<int>& members, const Constraints& c, std::vector<int>& rows) {
    const std::set<int> inside(members.begin(), members.end());
    int slack = std::numeric_limits<int>::max();
    for (int upper : members)
        for (int lower : c.below[static_cast<Index>(upper)])
            if (!inside.count(lower))
                slack = std::min(slack, rows[static_cast<Index>(lower)] - rows[static_cast<Index>(upper)] - 1);
    if (slack == std::numeric_limits<int>::max()) return;
    for (int member : members) rows[static_cast<Index>(member)] += slack;
}

/// Lowers a source (a weight's transpose) to its nearest use, with everything that depends on it alone.
void sinkSources(const DrawnGraph& graph, const Constraints& c, std::vector<int>& rows) {
    const std::vector<bool> isSource = sources(graph, c);
    for (Index g = 0; g < c.below.size(); ++g) {
        if (!isSource[g] || c.below[g].empty()) continue;
        const int source = static_cast<int>(g);
        sink(ownedBy(source, c), c, rows);
        if (!isBackward(graph, source)) sink({source}, c, rows);
    }
}

std::vector<int> rowsOfDrawing(const DrawnGraph& graph) {
    const auto [constraints, order] = solvableConstraints(graph);
    std::vector<int> groupRows = longestPaths(constraints, order);
    pullDown(graph, constraints, order, groupRows);
    sinkSources(graph, constraints, groupRows);
    std::vector<int> rows;
    for (int g : constraints.group) rows.push_back(groupRows[static_cast<Index>(g)]);
    return rows;
}

}  // namespace

std::vector<int> ladderRows(const DrawnGraph& graph) { return rowsOfDrawing(graph); }

std::vector<int> flowRows(const DrawnGraph& graph) {
    DrawnGraph plain = graph;
    for (auto& node : plain.nodes) {
        node.stage = Stage::forward;
        node.partner = -1;
    }
    return rowsOfDrawing(plain);
}

}  // namespace aotscope
