#include "canvas/layout/rows.h"

#include <algorithm>
#include <limits>
#include <map>
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

/// Keeps each node with its partner where the flow allows that.
class Merger {
public:
    explicit Merger(const DrawnGraph& graph)
        : graph_(graph),
          members_(graph.nodes.size()),
          below_(graph.nodes.size()),
          open_(graph.nodes.size(), 0),
          waiting_(graph.nodes.size(), 0),
          placed_(graph.nodes.size(), false) {
        c_.group.resize(graph.nodes.size());
        for (Index i = 0; i < graph.nodes.size(); ++i) {
            const int partner = graph.nodes[i].partner;
            c_.group[i] = partner >= 0 ? partner : static_cast<int>(i);
            members_[static_cast<Index>(c_.group[i])].push_back(static_cast<int>(i));
        }
        forEachOrder(graph, [&](int upper, int lower) {
            below_[static_cast<Index>(upper)].push_back(lower);
            ++open_[static_cast<Index>(lower)];
            ++waiting_[static_cast<Index>(c_.group[static_cast<Index>(lower)])];
        });
    }

    /// The constraints, and the groups with nodes in an order that satisfies them. Pairs that contradict the flow are
    /// dropped, one after the other, until an order exists.
    std::pair<Constraints, std::vector<int>> run() {
        for (Index g = 0; g < waiting_.size(); ++g)
            if (waiting_[g] == 0 && !members_[g].empty()) order_.push_back(static_cast<int>(g));
        place();
        for (Index i = 0; i < graph_.nodes.size(); ++i) {
            const int group = c_.group[i];
            if (group == static_cast<int>(i) || placed_[static_cast<Index>(group)]) continue;
            drop(static_cast<int>(i));
            place();
        }
        finish();
        return {std::move(c_), std::move(order_)};
    }

private:
    /// All groups that nothing keeps from being placed.
    void place() {
        for (; next_ < order_.size(); ++next_) {
            const auto g = static_cast<Index>(order_[next_]);
            placed_[g] = true;
            for (const int upper : members_[g])
                for (const int lower : below_[static_cast<Index>(upper)]) {
                    --open_[static_cast<Index>(lower)];
                    const int group = c_.group[static_cast<Index>(lower)];
                    if (--waiting_[static_cast<Index>(group)] == 0) order_.push_back(group);
                }
        }
    }

    /// Takes a node out of its group.
    void drop(int node) {
        const auto own = static_cast<Index>(node);
        const int group = c_.group[own];
        std::erase(members_[static_cast<Index>(group)], node);
        c_.group[own] = node;
        members_[own] = {node};
        waiting_[own] = open_[own];
        waiting_[static_cast<Index>(group)] -= open_[own];
        for (const int g : {node, group})
            if (waiting_[static_cast<Index>(g)] == 0) order_.push_back(g);
    }

    void finish() {
        c_.below.resize(graph_.nodes.size());
        c_.indegree.assign(graph_.nodes.size(), 0);
        forEachOrder(graph_, [&](int upper, int lower) {
            const int a = c_.group[static_cast<Index>(upper)], b = c_.group[static_cast<Index>(lower)];
            c_.below[static_cast<Index>(a)].push_back(b);
            ++c_.indegree[static_cast<Index>(b)];
        });
    }

    const DrawnGraph& graph_;
    Constraints c_;
    std::vector<std::vector<int>> members_, below_;  ///< of each group; of each node
    std::vector<int> open_, waiting_;                ///< upper nodes without a place: of each node, of each group
    std::vector<bool> placed_;
    std::vector<int> order_;
    Index next_ = 0;
};

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
    const auto [constraints, order] = Merger(graph).run();
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
