#include "canvas/layout/layered/row_limits.h"

#include "canvas/layout/ladder.h"
#include "canvas/layout/layered/late_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr int kMostIntoBox = 24;         ///< edges; further ones become stubs
constexpr int kMostRowsOfContinued = 3;  ///< that an edge of a box in a continued row may span
constexpr double kBoxRoom = 20;          ///< beside a box
constexpr double kLeastLimit = 1500;     ///< of the width of a row

void capIncoming(const DrawnGraph& graph, std::vector<bool>& stubs) {
    std::vector<int> drawn(graph.nodes.size(), 0);
    for (Index e = 0; e < graph.edges.size(); ++e) {
        if (stubs[e] || graph.edges[e].kind != DrawnEdge::Kind::flow) continue;
        if (++drawn[static_cast<Index>(graph.edges[e].to)] > kMostIntoBox) stubs[e] = true;
    }
}

/// Sets of boxes that edges or levels connect (union-find).
class Parts {
public:
    explicit Parts(Index boxes) : parent_(boxes) { std::iota(parent_.begin(), parent_.end(), 0); }
    int of(int box) {
        while (parent_[static_cast<Index>(box)] != box) {
            int& parent = parent_[static_cast<Index>(box)];
            parent = parent_[static_cast<Index>(parent)];
            box = parent;
        }
        return box;
    }
    /// A part is called after its first box.
    void join(int a, int b) {
        a = of(a);
        b = of(b);
        parent_[static_cast<Index>(std::max(a, b))] = std::min(a, b);
    }

private:
    std::vector<int> parent_;
};

class RowLimiter {
public:
    RowLimiter(const DrawnGraph& graph, LayoutPlan& plan) : graph_(graph), plan_(plan), half_(graph.nodes.size(), 0) {
        double area = 0;
        for (const DrawnNode& node : graph.nodes)
            area += (node.size.width() + kBoxRoom) * (node.size.height() + kRowGap);
        for (Index i = 0; i < half_.size(); ++i) half_[i] = graph.isBackward(static_cast<int>(i)) ? 1 : 0;
        const double halves = graph.isLadder() ? 2 : 1;
        limit_ = std::max(kLeastLimit, std::sqrt(kPictureSides * area)) / halves;
    }

    void run() {
        lowerToUsers(graph_, plan_);
        plan_.stubs = chooseStubs(graph_, plan_.rows);
        capIncoming(graph_, plan_.stubs);
        if (widestRow() <= limit_) return;
        if (!hasPorts()) stack();
        if (widestRow() > limit_) continueRows();
        // Stubs between parts remain: their rows say nothing about each other now.
        const std::vector<bool> further = chooseStubs(graph_, plan_.rows);
        for (Index e = 0; e < further.size(); ++e) plan_.stubs[e] = plan_.stubs[e] || further[e];
        cutContinued();
    }

private:
    double roomOf(Index box) const { return graph_.nodes[box].size.width() + kBoxRoom; }
    int rowCount() const {
        return plan_.rows.empty() ? 0 : *std::max_element(plan_.rows.begin(), plan_.rows.end()) + 1;
    }

    double widestRow() const {
        std::vector<std::array<double, 2>> widths(static_cast<Index>(rowCount()), {0, 0});
        double widest = 0;
        for (Index i = 0; i < half_.size(); ++i) {
            double& width = widths[static_cast<Index>(plan_.rows[i])][half_[i]];
            widest = std::max(widest, width += roomOf(i));
        }
        return widest;
    }

    /// These remain in the first and in the last row.
    bool hasPorts() const {
        return std::ranges::any_of(graph_.nodes, [](const auto& node) { return node.kind == DrawnNode::Kind::port; });
    }

    struct Part {
        std::vector<Index> boxes;
        int top = 0, rows = 0;
        std::array<double, 2> widths{};
    };

    /// Parts in the order of their first boxes, unless one of them is most of the graph.
    std::vector<Part> findParts() {
        Parts sets(graph_.nodes.size());
        for (Index e = 0; e < graph_.edges.size(); ++e)
            if (!plan_.stubs[e]) sets.join(graph_.edges[e].from, graph_.edges[e].to);
        for (Index i = 0; i < graph_.nodes.size(); ++i)
            if (graph_.nodes[i].partner >= 0) sets.join(static_cast<int>(i), graph_.nodes[i].partner);
        std::vector<int> number(graph_.nodes.size(), -1);
        std::vector<Part> parts;
        Index most = 0;
        for (Index i = 0; i < graph_.nodes.size(); ++i) {
            int& known = number[static_cast<Index>(sets.of(static_cast<int>(i)))];
            if (known < 0) {
                known = static_cast<int>(parts.size());
                parts.emplace_back();
            }
            auto& boxes = parts[static_cast<Index>(known)].boxes;
            boxes.push_back(i);
            most = std::max(most, boxes.size());
        }
        if (2 * most > graph_.nodes.size()) return {};
        for (Part& part : parts) measure(part);
        return parts;
    }

    void measure(Part& part) const {
        const auto rowOf = [&](Index box) { return plan_.rows[box]; };
        const auto [top, bottom] = std::ranges::minmax(part.boxes, {}, rowOf);
        part.top = rowOf(top);
        part.rows = rowOf(bottom) - part.top + 1;
        std::vector<std::array<double, 2>> widths(static_cast<Index>(part.rows), {0, 0});
        for (const Index box : part.boxes) {
            double& width = widths[static_cast<Index>(rowOf(box) - part.top)][half_[box]];
            width += roomOf(box);
            part.widths[half_[box]] = std::max(part.widths[half_[box]], width);
        }
    }

    /// As many parts side by side as fit, the next ones below.
    void stack() {
        int top = 0, rows = 0;
        std::array<double, 2> used{};
        for (const Part& part : findParts()) {
            if (used[0] + part.widths[0] > limit_ || used[1] + part.widths[1] > limit_) {
                top += rows;
                rows = 0;
                used = {};
            }
            for (const Index box : part.boxes) plan_.rows[box] += top - part.top;
            rows = std::max(rows, part.rows);
            used[0] += part.widths[0];
            used[1] += part.widths[1];
        }
    }

    /// A row that is too wide becomes several; its boxes keep their order.
    void continueRows() {
        continued_.assign(half_.size(), false);
        std::vector<std::array<double, 2>> used(static_cast<Index>(rowCount()), {0, 0});
        std::vector<std::array<int, 2>> extra(used.size(), {0, 0});
        std::vector<int> within(half_.size());
        for (Index i = 0; i < half_.size(); ++i) {
            const auto r = static_cast<Index>(plan_.rows[i]);
            double& width = used[r][half_[i]];
            if (width > 0 && width + roomOf(i) > limit_) {
                ++extra[r][half_[i]];
                width = 0;
            }
            width += roomOf(i);
            within[i] = extra[r][half_[i]];
        }
        std::vector<int> tops(used.size(), 0);
        for (Index r = 1; r < tops.size(); ++r) tops[r] = tops[r - 1] + 1 + std::max(extra[r - 1][0], extra[r - 1][1]);
        for (Index i = 0; i < half_.size(); ++i) {
            const auto r = static_cast<Index>(plan_.rows[i]);
            continued_[i] = extra[r][half_[i]] > 0;
            plan_.rows[i] = tops[r] + within[i];
        }
    }

    /// Their edges would pass between all boxes of the rows below.
    void cutContinued() {
        if (continued_.empty()) return;
        for (Index e = 0; e < graph_.edges.size(); ++e) {
            const auto from = static_cast<Index>(graph_.edges[e].from), to = static_cast<Index>(graph_.edges[e].to);
            const bool leadsFar = std::abs(plan_.rows[from] - plan_.rows[to]) > kMostRowsOfContinued;
            if (leadsFar && (continued_[from] || continued_[to])) plan_.stubs[e] = true;
        }
    }

    const DrawnGraph& graph_;
    LayoutPlan& plan_;
    std::vector<Index> half_;
    double limit_ = 0;
    std::vector<bool> continued_;  ///< boxes of rows that became several
};

}  // namespace

void limitRows(const DrawnGraph& graph, LayoutPlan& plan) { RowLimiter(graph, plan).run(); }

}  // namespace aotscope
