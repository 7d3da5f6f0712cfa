#include "canvas/visible.h"

#include "canvas/layout/box_size.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr int kSmallGraph = 1500;      ///< boxes of a graph that opens completely
constexpr int kReadablePicture = 250;  ///< boxes that a larger one opens with, at most
constexpr double kWidthStep = 20;      ///< gives groups whose names differ by a letter the same width

/// For each group, the outermost closed one around it (or itself), or -1.
std::vector<int> closedAround(const GroupTree& tree, const ViewState& state) {
    std::vector<int> closed(tree.size(), -1);
    for (Index g = 1; g < tree.size(); ++g) {
        const int around = closed[static_cast<Index>(tree.groups[g].parent)];
        closed[g] = around >= 0 ? around : state.collapsed.contains(tree.groups[g].key) ? static_cast<int>(g) : -1;
    }
    return closed;
}

/// The summary of the boxes in a closed group.
struct Summary {
    int operations = 0, saved = 0, recomputed = 0, changed = 0;
    std::int64_t savedBytes = 0;
    std::vector<std::pair<Tint, int>> tints;  ///< and the number of boxes that have them

    void add(const DrawnNode& node) {
        if (node.tint) {
            const auto known = std::ranges::find(tints, *node.tint, &std::pair<Tint, int>::first);
            if (known == tints.end()) tints.emplace_back(*node.tint, 1);
            else ++known->second;
        }
        operations += node.operations;
        saved += node.placement.savedValues;
        recomputed += node.placement.recomputedOps;
        changed += node.placement.change.isEmpty() ? 0 : 1;
        savedBytes += node.placement.savedBytes;
    }
};

class Viewer {
public:
    Viewer(const DrawnGraph& graph, const ViewState& state)
        : graph_(graph), tree_(*graph.groups), state_(state), closed_(closedAround(tree_, state)) {}

    DrawnGraph run() {
        seen_.kind = graph_.kind;
        seen_.note = graph_.note;
        seen_.memoryGroups = graph_.memoryGroups;
        seen_.tints = graph_.tints;
        seen_.groups = graph_.groups;
        place_.resize(graph_.nodes.size(), -1);
        findFilled();
        for (Index i = 0; i < graph_.nodes.size(); ++i) addBox(i);
        for (const auto& [half, box] : boxes_) describe(box, half);
        for (const auto& [id, box] : graph_.indexOf) index(seen_.indexOf, id, box);
        for (const auto& [id, box] : graph_.attachedTo) index(seen_.attachedTo, id, box);
        linkPartners();
        for (const auto& edge : graph_.edges) addEdge(edge);
        if (hidden_ > 0)
            seen_.note =
                hidden_ == 1 ? QObject::tr("1 box is hidden") : QObject::tr("%1 boxes are hidden").arg(hidden_);
        return std::move(seen_);
    }

private:
    using Half = std::pair<int, bool>;  ///< a group, and whether it is its backward

    bool hidden(const DrawnNode& node) const { return node.id != kNoNode && state_.hidden.contains(node.id); }
    int placeOf(int box) const { return place_[static_cast<Index>(box)]; }

    /// Operators whose subgraphs are partly visible.
    void findFilled() {
        filled_.resize(graph_.nodes.size(), false);
        for (Index i = 0; i < graph_.nodes.size(); ++i)
            if (const int owner = graph_.ownerOf(static_cast<int>(i)); owner >= 0 && !hidden(graph_.nodes[i]))
                filled_[static_cast<Index>(owner)] = true;
    }

    bool isBackward(const DrawnNode& node) const { return graph_.isLadder() && node.stage == Stage::backward; }

    void addBox(Index i) {
        const DrawnNode& node = graph_.nodes[i];
        const int owner = graph_.ownerOf(static_cast<int>(i));
        if (owner >= 0 && placeOf(owner) < 0) return;  // hidden with the operator that runs it
        const int group = closed_[static_cast<Index>(node.innermost())];
        if (hidden(node)) {
            ++hidden_;
            if (group >= 0 && owner < 0) summaries_[{group, isBackward(node)}].add(node);  // a module has what it has
            return;
        }
        if (group < 0) return addAsItIs(i);
        if (const int op = tree_[group].box; op >= 0) {
            place_[i] = placeOf(op);
            return;
        }
        const auto [known, isNew] = boxes_.try_emplace({group, isBackward(node)}, static_cast<int>(seen_.nodes.size()));
        if (isNew) {
            DrawnNode box;
            box.kind = DrawnNode::Kind::group;
            box.group = group;
            box.within = tree_[group].parent;
            box.stage = isBackward(node) ? Stage::backward : graph_.isLadder() ? Stage::forward : node.stage;
            box.title = titleOf(tree_, group);
            box.name = tree_[group].kind == ModuleGroup::Kind::run ? box.title : tree_[group].key;
            box.origin.module = tree_[group].path;
            seen_.nodes.push_back(std::move(box));
        }
        place_[i] = known->second;
        // An operator represents its subgraphs.
        if (owner < 0 || placeOf(owner) != known->second) summaries_[{group, isBackward(node)}].add(node);
    }

    /// A closed operator is a box like any other.
    void addAsItIs(Index i) {
        place_[i] = static_cast<int>(seen_.nodes.size());
        seen_.nodes.push_back(graph_.nodes[i]);
        DrawnNode& box = seen_.nodes.back();
        box.subgraph = -1;
        if (box.frame < 0 || (closed_[static_cast<Index>(box.frame)] < 0 && filled_[i])) return;
        box.group = std::exchange(box.frame, -1);
    }

    /// A value saved in a module may be computed where its backward is drawn. It is mentioned once, in the forward.
    void describeSaved(DrawnNode& box, Half half) const {
        const bool first = !half.second || !boxes_.contains({half.first, false});
        if (!graph_.isLadder() || !first) return;
        int saved = 0;
        for (const bool backward : {false, true})
            if (const auto summary = summaries_.find({half.first, backward}); summary != summaries_.end()) {
                saved += summary->second.saved;
                box.placement.savedBytes += summary->second.savedBytes;
            }
        box.placement.savedValues = saved;
        const QString bytes = toQString(formatBytes(box.placement.savedBytes));
        box.lines << (saved > 0 ? QObject::tr("saves %1, %2").arg(saved).arg(bytes) : QObject::tr("saves nothing"));
    }

    void describe(int index, Half half) {
        DrawnNode& box = seen_.nodes[static_cast<Index>(index)];
        const Summary& summary = summaries_[half];
        box.operations = summary.operations;
        box.placement.recomputedOps = summary.recomputed;
        const auto heaviest = std::ranges::max_element(
            summary.tints, {}, [](const auto& entry) { return std::pair(entry.first.weight, entry.second); });
        if (heaviest != summary.tints.end()) box.tint = heaviest->first;
        const bool areInputs = summary.operations == 0;
        box.lines.clear();
        if (!areInputs) box.lines << toQString(counted(static_cast<std::size_t>(summary.operations), "operation"));
        if (!areInputs) describeSaved(box, half);
        if (const int alike = tree_[box.group].alike; alike > 1) box.lines << QObject::tr("×%1 alike").arg(alike);
        if (summary.recomputed > 0)
            box.placement.reason = QObject::tr("%1 recomputed in backward").arg(summary.recomputed);
        if (summary.changed > 0) box.placement.change = QObject::tr("%1 changed").arg(summary.changed);
        // As wide as its lines can become, so that what-if moves nothing.
        DrawnNode widest = box;
        if (!areInputs)
            widest.lines.first() = QObject::tr("saves %1, %2").arg(summary.operations).arg(QStringLiteral("999.9 MB"));
        const QSizeF size = boxSize(widest);
        box.size = {std::ceil(size.width() / kWidthStep) * kWidthStep, size.height()};
    }

    void index(std::unordered_map<NodeId, int>& map, NodeId id, int box) const {
        if (const int place = place_[static_cast<Index>(box)]; place >= 0) map.emplace(id, place);
    }

    void linkPartners() {
        for (auto& node : seen_.nodes) {
            if (node.partner < 0) continue;
            const int place = place_[static_cast<Index>(node.partner)];
            const bool alone = place >= 0 && seen_.nodes[static_cast<Index>(place)].kind != DrawnNode::Kind::group;
            node.partner = alone ? place : -1;
        }
        for (const auto& [half, box] : boxes_)
            if (const auto forward = boxes_.find({half.first, false}); half.second && forward != boxes_.end())
                seen_.nodes[static_cast<Index>(box)].partner = forward->second;
    }

    void addEdge(const DrawnEdge& edge) {
        const int from = place_[static_cast<Index>(edge.from)], to = place_[static_cast<Index>(edge.to)];
        if (from < 0 || to < 0 || from == to) return;
        const bool bundled = seen_.nodes[static_cast<Index>(from)].kind == DrawnNode::Kind::group ||
                             seen_.nodes[static_cast<Index>(to)].kind == DrawnNode::Kind::group;
        if (bundled) {
            const auto [known, isNew] = bundles_.try_emplace({from, to}, seen_.edges.size());
            if (!isNew) {
                DrawnEdge& bundle = seen_.edges[known->second];
                ++bundle.count;
                bundle.recomputed = bundle.recomputed && edge.recomputed;
                return;
            }
        }
        seen_.edges.push_back(edge);
        seen_.edges.back().from = from;
        seen_.edges.back().to = to;
    }

    const DrawnGraph& graph_;
    const GroupTree& tree_;
    const ViewState& state_;
    std::vector<int> closed_;
    std::vector<bool> filled_;
    DrawnGraph seen_;
    int hidden_ = 0;
    std::vector<int> place_;             ///< of each box in the picture
    std::map<Half, int> boxes_;          ///< of closed groups
    std::map<Half, Summary> summaries_;  ///< and what is in them
    std::map<std::pair<int, int>, std::size_t> bundles_;
};

int boxesAt(const DrawnGraph& graph, int depth) {
    const auto& tree = *graph.groups;
    int boxes = 0;
    for (Index g = 0; g < tree.size(); ++g) {
        const int own = tree.openDepth(static_cast<int>(g));
        if (own < depth) boxes += static_cast<int>(tree.groups[g].boxes.size());
        else if (own == depth && tree.groups[g].kind == ModuleGroup::Kind::module) boxes += 2;
    }
    return boxes;
}

}  // namespace

std::shared_ptr<const DrawnGraph> visibleGraph(const std::shared_ptr<const DrawnGraph>& graph, const ViewState& state) {
    if (!graph->groups || (state.collapsed.isEmpty() && state.hidden.isEmpty())) return graph;
    return std::make_shared<const DrawnGraph>(Viewer(*graph, state).run());
}

ViewState toggled(const GroupTree& tree, ViewState state, int group, bool open) {
    group = tree.opening(group);
    if (!open) state.collapsed.insert(tree[group].key);
    for (int g = group; open && g > 0; g = tree[g].parent) state.collapsed.remove(tree[g].key);
    return state;
}

ViewState toggledAlike(const GroupTree& tree, ViewState state, int group, bool open) {
    group = tree.opening(group);
    const bool single = tree[group].alike < 2;
    for (Index g = 1; g < tree.size(); ++g)
        if (single ? static_cast<int>(g) == group : tree.groups[g].structure == tree[group].structure)
            state = toggled(tree, std::move(state), static_cast<int>(g), open);
    return state;
}

ViewState revealed(const DrawnGraph& graph, ViewState state, int box) {
    return toggled(*graph.groups, std::move(state), graph.nodes[static_cast<Index>(box)].innermost(), true);
}

ViewState collapsedTo(const GroupTree& tree, int depth, ViewState state) {
    state.collapsed.clear();
    for (Index g = 1; g < tree.size(); ++g)
        if (tree.opening(static_cast<int>(g)) == static_cast<int>(g) && tree.groups[g].depth >= depth &&
            tree.groups[g].kind != ModuleGroup::Kind::run)
            state.collapsed.insert(tree.groups[g].key);
    return state;
}

ViewState withRunsClosed(const GroupTree& tree, ViewState state) {
    for (const ModuleGroup& group : tree.groups)
        if (group.kind == ModuleGroup::Kind::run) state.collapsed.insert(group.key);
    return state;
}

ViewState readable(const DrawnGraph& graph, int mostBoxes) {
    if (!graph.groups) return {};
    int depth = graph.groups->deepest() + 1;
    while (depth > 1 && boxesAt(graph, depth) > mostBoxes) --depth;
    return collapsedTo(*graph.groups, depth);
}

ViewState opening(const DrawnGraph& graph) {
    return graph.nodes.size() <= Index{kSmallGraph} ? ViewState() : readable(graph, kReadablePicture);
}

}  // namespace aotscope
