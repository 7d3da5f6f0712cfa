#include "canvas/layout/group_levels.h"

#include "canvas/layout/rows.h"
#include "canvas/paint.h"

#include <QFontMetricsF>
#include <algorithm>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr int kMostPorts = 12;           ///< on one side of a half; further values share the last one
constexpr double kBesideFrameName = 10;  ///< on both sides of the title of an operator or a subgraph

constexpr double kWidestFrameName = 400;

/// Names of modules may be cut off: the tree of modules has them, too.
double widthOfTitle(const GroupTree& tree, int group) {
    if (tree[group].kind == ModuleGroup::Kind::module) return 0;
    const QFont font = tree[group].kind == ModuleGroup::Kind::op ? titleFont() : lineFont();
    const double width = QFontMetricsF(font).horizontalAdvance(frameTitle(tree, {group, {}}));
    return std::min(width, kWidestFrameName) + 2 * kBesideFrameName;
}

class Dismantler {
public:
    explicit Dismantler(const DrawnGraph& graph) : graph_(graph), tree_(*graph.groups), itemOf_(graph.nodes.size()) {
        result_.levels.resize(tree_.size());
        for (Index g = 0; g < tree_.size(); ++g) {
            result_.levels[g].group = static_cast<int>(g);
            result_.levels[g].graph.kind = GraphKind::joint;
            result_.levels[g].titleWidth = widthOfTitle(tree_, static_cast<int>(g));
        }
        groupItem_.resize(tree_.size(), {-1, -1});
        edgeOf_.resize(tree_.size());
        portOf_.resize(tree_.size());
        portCount_.resize(tree_.size());
    }

    GroupLevels run() {
        for (Index i = 0; i < graph_.nodes.size(); ++i) addBox(static_cast<int>(i));
        linkPartners();
        result_.ways.resize(graph_.edges.size());
        for (Index e = 0; e < graph_.edges.size(); ++e) addEdge(e);
        for (const auto& level : result_.levels) {
            const auto depth = static_cast<Index>(tree_[level.group].depth);
            if (depth >= result_.byDepth.size()) result_.byDepth.resize(depth + 1);
            if (!level.empty()) result_.byDepth[depth].push_back(level.group);
        }
        return std::move(result_);
    }

private:
    GroupLevel& level(int group) { return result_.levels[static_cast<Index>(group)]; }
    const DrawnNode& node(int box) const { return graph_.nodes[static_cast<Index>(box)]; }

    int addItem(int group, GroupLevel::Item item, QSizeF size) {
        GroupLevel& into = level(group);
        DrawnNode drawn;
        drawn.stage = item.backward ? Stage::backward : Stage::forward;
        drawn.size = size;
        if (item.box >= 0) drawn.kind = node(item.box).kind;
        if (item.port) drawn.kind = DrawnNode::Kind::port;
        into.items.push_back(item);
        into.graph.nodes.push_back(std::move(drawn));
        return static_cast<int>(into.items.size()) - 1;
    }

    /// Open groups become items at the place of their first box. An open operator is its group.
    void addBox(int box) {
        const bool backward = graph_.isBackward(box);
        const int frame = node(box).frame;
        for (int inner = frame < 0 ? node(box).within : frame; inner > 0; inner = tree_[inner].parent) {
            int& item = groupItem_[static_cast<Index>(inner)][backward ? 1 : 0];
            if (item >= 0) break;
            item = addItem(tree_[inner].parent, {-1, inner, false, backward}, {});
        }
        int& item = itemOf_[static_cast<Index>(box)];
        if (frame < 0) {
            item = addItem(node(box).within, {box, -1, false, backward}, node(box).size);
        } else {
            item = groupItem_[static_cast<Index>(frame)][backward ? 1 : 0];
            level(node(box).within).items[static_cast<Index>(item)].box = box;
        }
    }

    void linkPartners() {
        for (auto& level : result_.levels)
            for (Index i = 0; i < level.items.size(); ++i) {
                const auto& item = level.items[i];
                int& partner = level.graph.nodes[i].partner;
                if (item.group >= 0 && item.backward) partner = groupItem_[static_cast<Index>(item.group)][0];
                if (item.box < 0) continue;
                const int own = node(item.box).partner;
                if (own >= 0 && node(own).within == level.group) partner = itemOf_[static_cast<Index>(own)];
            }
    }

    /// The item of `box` in the level of `group`: itself, or the open group around it.
    int itemAt(int group, int box) const {
        int inner = node(box).within;
        if (inner == group) return itemOf_[static_cast<Index>(box)];
        while (tree_[inner].parent != group) inner = tree_[inner].parent;
        return groupItem_[static_cast<Index>(inner)][graph_.isBackward(box) ? 1 : 0];
    }

    /// The port through which the value of box `from` enters or leaves a group.
    int port(int group, int from, bool backward, bool entry) {
        auto& ports = portOf_[static_cast<Index>(group)];
        const int side = (backward ? 2 : 0) + (entry ? 1 : 0);
        if (const auto known = ports.find({side, from}); known != ports.end()) return known->second;
        auto& made = portCount_[static_cast<Index>(group)][static_cast<Index>(side)];
        const int item = static_cast<int>(made.size()) >= kMostPorts
                             ? made.back()
                             : addItem(group, {-1, -1, true, backward, entry}, {1, 1});
        if (made.empty() || made.back() != item) made.push_back(item);
        ports.emplace(std::make_pair(side, from), item);
        return item;
    }

    int edge(int group, int from, int to, DrawnEdge::Kind kind) {
        GroupLevel& into = level(group);
        const auto [known, isNew] =
            edgeOf_[static_cast<Index>(group)].try_emplace({from, to}, static_cast<int>(into.graph.edges.size()));
        if (isNew) into.graph.edges.push_back({from, to, kind});
        return known->second;
    }

    void addEdge(Index e) {
        const DrawnEdge& drawn = graph_.edges[e];
        const int from = drawn.from, to = drawn.to;
        const int common = tree_.commonAncestor(node(from).within, node(to).within);
        if (drawn.kind == DrawnEdge::Kind::rung) {
            // Marks both ends as connected; routing follows when everything is placed.
            edge(common, itemAt(common, from), itemAt(common, to), drawn.kind);
            return;
        }
        const bool backward = graph_.isBackward(from);
        auto& parts = result_.ways[e].parts;
        for (int group = node(from).within; group != common; group = tree_[group].parent)
            parts.push_back(
                {group, edge(group, itemAt(group, from), port(group, from, backward, false), drawn.kind), true});
        parts.push_back({common, edge(common, itemAt(common, from), itemAt(common, to), drawn.kind), false});
        const auto inward = static_cast<std::ptrdiff_t>(parts.size());
        for (int group = node(to).within; group != common; group = tree_[group].parent)
            parts.insert(parts.begin() + inward,
                         {group, edge(group, port(group, from, backward, true), itemAt(group, to), drawn.kind), false});
    }

    const DrawnGraph& graph_;
    const GroupTree& tree_;
    GroupLevels result_;
    std::vector<int> itemOf_;
    std::vector<std::array<int, 2>> groupItem_;  ///< of each group in the level around it: forward, backward
    std::vector<std::map<std::pair<int, int>, int>> edgeOf_, portOf_;
    std::vector<std::array<std::vector<int>, 4>> portCount_;
};

}  // namespace

GroupLevels takeApart(const DrawnGraph& graph) { return Dismantler(graph).run(); }

std::vector<int> rowsOf(const GroupLevel& level) {
    DrawnGraph inside;
    inside.kind = GraphKind::joint;
    std::vector<int> place(level.items.size(), -1);
    for (Index i = 0; i < level.items.size(); ++i) {
        if (level.items[i].port) continue;
        place[i] = static_cast<int>(inside.nodes.size());
        inside.nodes.push_back(level.graph.nodes[i]);
    }
    for (auto& node : inside.nodes)
        if (node.partner >= 0) node.partner = place[static_cast<Index>(node.partner)];
    for (DrawnEdge edge : level.graph.edges) {
        edge.from = place[static_cast<Index>(edge.from)];
        edge.to = place[static_cast<Index>(edge.to)];
        if (edge.from >= 0 && edge.to >= 0) inside.edges.push_back(edge);
    }
    const std::vector<int> inner = ladderRows(inside);
    const int last = inner.empty() ? 1 : *std::max_element(inner.begin(), inner.end()) + 2;
    std::vector<int> rows;
    for (Index i = 0; i < level.items.size(); ++i) {
        const auto& item = level.items[i];
        // Forward values enter at the top, backward ones at the bottom.
        if (item.port) rows.push_back(item.entry != item.backward ? 0 : last);
        else rows.push_back(inner[static_cast<Index>(place[i])] + 1);
    }
    return rows;
}

}  // namespace aotscope
