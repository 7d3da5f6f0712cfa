#include "canvas/layout/layered/late_rows.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr int kManyUsers = 8;  ///< of a value that no longer says where its users stand

class LateRows {
public:
    LateRows(const DrawnGraph& graph, LayoutPlan& plan)
        : graph_(graph), rows_(plan.rows), lowers_(rows_.size()), uppers_(rows_.size()), beside_(rows_.size(), -1) {
        std::vector<int> users(rows_.size(), 0);
        for (const DrawnEdge& edge : graph.edges)
            if (edge.kind == DrawnEdge::Kind::flow) ++users[static_cast<Index>(edge.from)];
        for (Index e = 0; e < graph.edges.size(); ++e) {
            const DrawnEdge& edge = graph.edges[e];
            if (edge.kind != DrawnEdge::Kind::flow) continue;
            const bool down = !graph.isBackward(edge.from);
            const auto upper = static_cast<Index>(down ? edge.from : edge.to),
                       lower = static_cast<Index>(down ? edge.to : edge.from);
            lowers_[upper].push_back(lower);
            const bool says = !plan.stubs[e] && users[static_cast<Index>(edge.from)] <= kManyUsers;
            uppers_[lower].push_back({upper, says});
        }
        for (Index i = 0; i < rows_.size(); ++i) {
            const int partner = graph.nodes[i].partner;
            if (partner < 0 || rows_[static_cast<Index>(partner)] != rows_[i]) continue;
            beside_[i] = partner;
            beside_[static_cast<Index>(partner)] = static_cast<int>(i);
        }
    }

    void run() {
        std::vector<Index> order(rows_.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, {}, [&](Index i) { return rows_[i]; });
        const std::vector<bool> free = findFree(order);
        findHanging(order);
        for (auto box = order.rbegin(); box != order.rend(); ++box) {
            if (free[*box] || isAlone(*box)) lower(*box);
        }
        for (const Index box : order)
            if (hanging_[box]) follow(box);
        closeGaps();
    }

private:
    struct Upper {
        Index box = 0;
        bool says = false;  ///< where its user stands
    };

    /// Boxes of the backward that no box of the forward holds.
    bool isAlone(Index box) const {
        return graph_.isBackward(static_cast<int>(box)) && beside_[box] < 0 &&
               graph_.nodes[box].kind != DrawnNode::Kind::port;
    }

    /// Boxes of the forward that no upper one holds.
    std::vector<bool> findFree(const std::vector<Index>& order) const {
        std::vector<bool> free(rows_.size(), false);
        for (const Index box : order)
            free[box] = !graph_.isBackward(static_cast<int>(box)) && !uppers_[box].empty() &&
                        std::ranges::all_of(uppers_[box], [&](const Upper& u) { return !u.says || free[u.box]; });
        return free;
    }

    /// Boxes of the backward that compute nothing from gradients, such as the transpose of a saved value: they stand
    /// below their users.
    void findHanging(const std::vector<Index>& order) {
        hanging_.assign(rows_.size(), false);
        for (auto box = order.rbegin(); box != order.rend(); ++box)
            hanging_[*box] = isAlone(*box) && std::ranges::all_of(lowers_[*box], [&](Index l) { return hanging_[l]; });
    }

    /// To the row above its highest lower neighbour, with its partner.
    void lower(Index box) {
        int bound = std::numeric_limits<int>::max();
        const auto keepAbove = [&](Index own) {
            for (const Index other : lowers_[own])
                if (!hanging_[other]) bound = std::min(bound, rows_[other] - 1);
        };
        keepAbove(box);
        if (bound == std::numeric_limits<int>::max()) return;
        if (beside_[box] >= 0) keepAbove(static_cast<Index>(beside_[box]));
        if (bound <= rows_[box]) return;
        rows_[box] = bound;
        if (beside_[box] >= 0) rows_[static_cast<Index>(beside_[box])] = bound;
    }

    /// Down to the row below its lowest user.
    void follow(Index box) {
        for (const Upper& upper : uppers_[box]) rows_[box] = std::max(rows_[box], rows_[upper.box] + 1);
    }

    /// Removes rows without boxes, except for the first one, where the ports of a module would be.
    void closeGaps() {
        if (rows_.empty()) return;
        std::vector<int> renumbered(static_cast<Index>(std::ranges::max(rows_)) + 1, 0);
        for (const int row : rows_) renumbered[static_cast<Index>(row)] = 1;
        renumbered[0] = 0;
        std::partial_sum(renumbered.begin(), renumbered.end(), renumbered.begin());
        for (int& row : rows_) row = renumbered[static_cast<Index>(row)];
    }

    const DrawnGraph& graph_;
    std::vector<int>& rows_;
    std::vector<std::vector<Index>> lowers_;
    std::vector<std::vector<Upper>> uppers_;
    std::vector<int> beside_;  ///< the partner in the same row; -1: none
    std::vector<bool> hanging_;
};

}  // namespace

void lowerToUsers(const DrawnGraph& graph, LayoutPlan& plan) { LateRows(graph, plan).run(); }

}  // namespace aotscope
