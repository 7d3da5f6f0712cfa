#include "canvas/layout/find_groups.h"

#include "canvas/layout/group_order.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr int kFewestBoxes = 4;  ///< of a group; smaller modules are merged into the one around them
constexpr int kFewestInRun = 2;
constexpr Index kFewOutside = 30;           ///< boxes outside of modules that need no runs
constexpr Index kShortRun = 8, kRuns = 12;  ///< the usual length of runs, if not ended by modules, and their number

/// Paths of modules as a tree; node 0 is the empty path.
class PathTree {
public:
    int find(const QString& path) {
        if (path.isEmpty()) return 0;
        const auto known = byPath_.find(path);
        if (known != byPath_.end()) return known->second;
        const auto dot = path.lastIndexOf(u'.');
        return add(dot < 0 ? 0 : find(path.left(dot)), path);
    }
    /// One more run of the boxes outside of modules.
    int run() {
        const int run = add(0, QStringLiteral("/run %1").arg(++runs_));
        isRun[static_cast<Index>(run)] = true;
        return run;
    }
    int runs() const { return runs_; }
    std::vector<int> parents{-1};
    std::vector<QString> paths{QString()};
    std::vector<bool> isRun{false};

private:
    int add(int parent, const QString& path) {
        const int node = static_cast<int>(paths.size());
        parents.push_back(parent);
        paths.push_back(path);
        isRun.push_back(false);
        byPath_.emplace(path, node);
        return node;
    }
    std::map<QString, int> byPath_;
    int runs_ = 0;
};

class TreeBuilder {
public:
    TreeBuilder(const DrawnGraph& graph, const std::vector<int>& boxes)
        : graph_(graph), groupOf_(graph.nodes.size(), 0) {
        groups_.push_back({});
        // Subgraphs of an operator are in its half, and forward inside.
        const auto isBackward = [&](int box) { return graph.isBackward(box) && graph.ownerOf(box) < 0; };
        for (const int box : boxes) (isBackward(box) ? backward_ : forward_).push_back(box);
        for (const DrawnSubgraph& subgraph : graph.subgraphs) owners_.insert(subgraph.owner);
    }

    GroupTree run() {
        makeForward();
        makeBackward();
        return compact();
    }

private:
    /// The edges among `boxes`, by their places in this list.
    std::vector<std::pair<int, int>> edgesAmong(const std::vector<int>& boxes) const {
        std::vector<int> place(graph_.nodes.size(), -1);
        for (Index i = 0; i < boxes.size(); ++i) place[static_cast<Index>(boxes[i])] = static_cast<int>(i);
        std::vector<std::pair<int, int>> edges;
        for (const auto& edge : graph_.edges) {
            const int from = place[static_cast<Index>(edge.from)], to = place[static_cast<Index>(edge.to)];
            if (from >= 0 && to >= 0) edges.emplace_back(from, to);
        }
        return edges;
    }

    /// The tree node of each of `boxes` by its module.
    std::vector<int> homesByPath(const std::vector<int>& boxes) {
        std::vector<int> homes;
        for (const int box : boxes) {
            const DrawnNode& node = graph_.nodes[static_cast<Index>(box)];
            homes.push_back(node.kind == DrawnNode::Kind::call ? paths_.find(node.origin.module) : 0);
            if (!node.origin.moduleType.isEmpty()) types_.emplace(homes.back(), node.origin.moduleType);
        }
        return homes;
    }

    int addGroup(int parent, int pathNode) {
        ModuleGroup group;
        group.path = paths_.paths[static_cast<Index>(pathNode)];
        if (const auto type = types_.find(pathNode); type != types_.end()) group.type = type->second;
        auto& calls = calls_[pathNode];
        calls.push_back(static_cast<int>(groups_.size()));
        group.key = calls.size() == 1 ? group.path : group.path + u'#' + QString::number(calls.size());
        group.parent = parent;
        groups_.push_back(std::move(group));
        pathOf_.push_back(pathNode);
        return calls.back();
    }

    Grouping grouping(const std::vector<int>& boxes, std::vector<int> homes, std::vector<int> parents) const {
        Grouping grouping{std::move(parents), std::move(homes), {}};
        for (const int box : boxes)
            grouping.given.push_back(graph_.nodes[static_cast<Index>(box)].kind == DrawnNode::Kind::input);
        return grouping;
    }

    std::vector<int> chainOf(int node, const std::vector<int>& parents) const {
        std::vector<int> chain;
        for (; node > 0; node = parents[static_cast<Index>(node)]) chain.push_back(node);
        std::reverse(chain.begin(), chain.end());
        return chain;
    }

    /// An operator with subgraphs is a group itself.
    bool mayBeInRun(int box, int home) const { return home == 0 && !owners_.contains(box); }

    /// After each place of an order, the number of values that later places use.
    static std::vector<int> valuesAcross(const std::vector<int>& order, const std::vector<std::pair<int, int>>& edges) {
        std::vector<Index> position(order.size()), last(order.size());
        for (Index i = 0; i < order.size(); ++i) position[static_cast<Index>(order[i])] = last[i] = i;
        for (const auto& [from, to] : edges) {
            Index& use = last[position[static_cast<Index>(from)]];
            use = std::max(use, position[static_cast<Index>(to)]);
        }
        std::vector<int> across(order.size() + 1, 0);
        for (Index i = 0; i < order.size(); ++i) ++across[i], --across[last[i]];
        for (Index i = 1; i < across.size(); ++i) across[i] += across[i - 1];
        return across;
    }

    /// Boxes outside of modules that follow each other are in one run: inputs, outputs, or operations. Of these, a long
    /// run ends where the fewest values lead on.
    void findRuns(const std::vector<int>& order, const std::vector<std::pair<int, int>>& edges,
                  std::vector<int>& homes) {
        const auto outside = static_cast<Index>(std::ranges::count(homes, 0));
        if (outside <= kFewOutside) return;
        const std::vector<int> across = valuesAcross(order, edges);
        const Index usual = std::max(kShortRun, outside / kRuns);
        const auto box = [&](Index i) { return forward_[static_cast<Index>(order[i])]; };
        const auto kind = [&](Index i) { return graph_.nodes[static_cast<Index>(box(i))].kind; };
        const auto home = [&](Index i) -> int& { return homes[static_cast<Index>(order[i])]; };
        for (Index first = 0, end = 0; first < order.size(); first = end) {
            end = first + 1;
            if (!mayBeInRun(box(first), home(first))) continue;
            while (end < order.size() && kind(end) == kind(first) && mayBeInRun(box(end), home(end))) ++end;
            if (kind(first) == DrawnNode::Kind::call && end - first > usual + usual / 2) {
                Index best = first + usual;
                for (Index cut = first + usual / 2; cut <= first + usual + usual / 2; ++cut)
                    if (across[cut - 1] < across[best - 1]) best = cut;
                end = best;
            }
            const int run = paths_.run();
            for (Index i = first; i < end; ++i) home(i) = run;
        }
    }

    /// Every run of boxes of one module is a call of it.
    void makeForward() {
        std::vector<int> homes = homesByPath(forward_);
        const std::vector<std::pair<int, int>> edges = edgesAmong(forward_);
        const std::vector<int> order = keepTogether(grouping(forward_, homes, paths_.parents), edges);
        findRuns(order, edges, homes);
        std::vector<std::pair<int, int>> open;  // path node, group
        for (const int place : order) {
            const std::vector<int> chain = chainOf(homes[static_cast<Index>(place)], paths_.parents);
            Index common = 0;
            while (common < open.size() && common < chain.size() && open[common].first == chain[common]) ++common;
            open.resize(common);
            for (; common < chain.size(); ++common)
                open.emplace_back(chain[common], addGroup(open.empty() ? 0 : open.back().second, chain[common]));
            put(forward_[static_cast<Index>(place)], open.empty() ? 0 : open.back().second);
        }
    }

    void put(int box, int group) {
        groupOf_[static_cast<Index>(box)] = group;
        groups_[static_cast<Index>(group)].boxes.push_back(box);
    }

    /// The first call of a module after another group, or its last one; created if only the backward has that module.
    int callAfter(int group, int pathNode) {
        if (pathNode == 0) return 0;
        const auto& calls = calls_[pathNode];
        if (calls.empty()) return addGroup(callAfter(group, paths_.parents[static_cast<Index>(pathNode)]), pathNode);
        const auto next = std::upper_bound(calls.begin(), calls.end(), group);
        return next == calls.end() ? calls.back() : *next;
    }

    /// A backward operation belongs to the call whose operation it differentiates. If that was merged with an equal one
    /// of an earlier module, it belongs to the next call of its own module.
    int callOf(int box, int pathNode) {
        const auto forward = graph_.indexOf.find(graph_.nodes[static_cast<Index>(box)].origin.forward);
        const bool linked = forward != graph_.indexOf.end() &&
                            graph_.nodes[static_cast<Index>(forward->second)].stage == Stage::forward;
        if (!linked) return callAfter(static_cast<int>(groups_.size()), pathNode);
        const int group = groupOf_[static_cast<Index>(forward->second)];
        const bool isOwn = pathOf_[static_cast<Index>(group)] == pathNode || (pathNode == 0 && isRun(group));
        return isOwn ? group : callAfter(group, pathNode);
    }

    bool isRun(int group) const { return paths_.isRun[static_cast<Index>(pathOf_[static_cast<Index>(group)])]; }

    /// Backward operations outside of modules that differentiate none belong to the run of those before them.
    void joinRuns(std::vector<int>& homes) {
        const auto outside =
            static_cast<Index>(std::ranges::count_if(homes, [&](int home) { return home == 0 || isRun(home); }));
        if (outside <= kFewOutside && paths_.runs() == 0) return;
        const Index longest = std::max(kShortRun, outside / kRuns);
        Index length = 0;
        int run = 0;
        for (Index i = 0; i < backward_.size(); ++i) {
            int& home = homes[i];
            if (home > 0) {
                if (isRun(home)) length = home == std::exchange(run, home) ? length + 1 : 1;
                continue;
            }
            if (!mayBeInRun(backward_[i], home) ||
                graph_.nodes[static_cast<Index>(backward_[i])].kind != DrawnNode::Kind::call)
                continue;
            if (run == 0 || length >= longest) run = addGroup(0, paths_.run()), length = 0;
            ++length;
            home = run;
        }
    }

    void makeBackward() {
        if (backward_.empty()) return;
        std::vector<int> homes = homesByPath(backward_);
        for (Index i = 0; i < backward_.size(); ++i) homes[i] = callOf(backward_[i], homes[i]);
        joinRuns(homes);
        std::vector<int> parents;
        for (const auto& group : groups_) parents.push_back(group.parent);
        const std::vector<int> order = keepTogether(grouping(backward_, homes, parents), edgesAmong(backward_));
        std::vector<std::pair<int, int>> open;  // wanted group, the group it is
        std::vector<bool> taken(groups_.size(), false);
        for (const int place : order) {
            const std::vector<int> chain = chainOf(homes[static_cast<Index>(place)], parents);
            Index common = 0;
            while (common < open.size() && common < chain.size() && open[common].first == chain[common]) ++common;
            open.resize(common);
            for (; common < chain.size(); ++common) {
                const int wanted = chain[common], parent = open.empty() ? 0 : open.back().second;
                const bool free =
                    !taken[static_cast<Index>(wanted)] && groups_[static_cast<Index>(wanted)].parent == parent;
                if (free) taken[static_cast<Index>(wanted)] = true;
                open.emplace_back(wanted, free ? wanted : addGroup(parent, pathOf_[static_cast<Index>(wanted)]));
            }
            put(backward_[static_cast<Index>(place)], open.empty() ? 0 : open.back().second);
        }
    }

    /// Boxes of each group and of nested groups, and how many of them are operations.
    std::pair<std::vector<int>, std::vector<int>> count() const {
        std::vector<int> total(groups_.size(), 0), operations(groups_.size(), 0);
        for (Index g = 0; g < groups_.size(); ++g)
            for (const int box : groups_[g].boxes) {
                const int own = graph_.nodes[static_cast<Index>(box)].operations;
                for (int a = static_cast<int>(g); a >= 0; a = groups_[static_cast<Index>(a)].parent) {
                    ++total[static_cast<Index>(a)];
                    operations[static_cast<Index>(a)] += own;
                }
            }
        return {std::move(total), std::move(operations)};
    }

    /// Without uninformative groups: modules of a few boxes, and groups that contain only one other group.
    std::vector<bool> worthAFrame(const std::vector<int>& total) const {
        // A module has a frame wherever it is called, or nowhere.
        std::vector<bool> framed(paths_.paths.size(), false), kept;
        for (Index g = 0; g < groups_.size(); ++g)
            if (total[g] >= kFewestBoxes) framed[static_cast<Index>(pathOf_[g])] = true;
        for (Index g = 0; g < groups_.size(); ++g)
            kept.push_back(g == 0 || (isRun(static_cast<int>(g)) ? total[g] >= kFewestInRun
                                                                 : framed[static_cast<Index>(pathOf_[g])]));
        const std::vector<bool> saying = sayingMore(kept);
        for (Index g = 1; g < groups_.size(); ++g) kept[g] = kept[g] && saying[static_cast<Index>(pathOf_[g])];
        return kept;
    }

    /// For each path, whether a group of it contains more than one other. A list whose elements are called separately,
    /// or a module that is called again, has several groups with different contents.
    std::vector<bool> sayingMore(const std::vector<bool>& kept) const {
        std::vector<int> children(groups_.size(), 0);
        for (Index g = 1; g < groups_.size(); ++g)
            if (kept[g]) ++children[static_cast<Index>(groups_[g].parent)];
        std::vector<bool> saying(paths_.paths.size(), false);
        for (Index g = 1; g < groups_.size(); ++g)
            if (kept[g] && (children[g] != 1 || !groups_[g].boxes.empty() || heldDirectly(g, kept) > 0))
                saying[static_cast<Index>(pathOf_[g])] = true;
        return saying;
    }

    /// "mul … mean", "26 inputs".
    QString titleOfRun(const std::vector<int>& boxes) const {
        const auto node = [&](int box) -> const DrawnNode& { return graph_.nodes[static_cast<Index>(box)]; };
        const auto count = static_cast<int>(boxes.size());
        if (node(boxes.front()).kind == DrawnNode::Kind::input) return QObject::tr("%1 inputs").arg(count);
        if (node(boxes.front()).kind == DrawnNode::Kind::output) return QObject::tr("%1 outputs").arg(count);
        const auto isForward = [&](int box) { return !graph_.isBackward(box); };
        const auto last = std::find_if(boxes.rbegin(), boxes.rend(), isForward);
        return QObject::tr("%1 … %2").arg(node(boxes.front()).title,
                                          node(last == boxes.rend() ? boxes.back() : *last).title);
    }

    GroupTree compact() {
        const auto [total, operations] = count();
        const std::vector<bool> kept = worthAFrame(total);
        GroupTree tree;
        std::vector<int> renumbered(groups_.size(), 0);
        const auto keptAncestor = [&](int g) {
            while (!kept[static_cast<Index>(g)]) g = groups_[static_cast<Index>(g)].parent;
            return renumbered[static_cast<Index>(g)];
        };
        for (Index g = 0; g < groups_.size(); ++g) {
            if (!kept[g]) continue;
            ModuleGroup group = groups_[g];
            group.boxes.clear();
            group.operations = operations[g];
            renumbered[g] = static_cast<int>(tree.groups.size());
            if (g > 0) {
                group.parent = keptAncestor(groups_[g].parent);
                auto& parent = tree.groups[static_cast<Index>(group.parent)];
                group.depth = parent.depth + 1;
                if (isRun(static_cast<int>(g))) {
                    group.kind = ModuleGroup::Kind::run;
                    group.path = parent.path;
                }
                parent.children.push_back(renumbered[g]);
            }
            tree.groups.push_back(std::move(group));
        }
        for (const auto& column : {forward_, backward_})
            for (const int box : column)
                tree.groups[static_cast<Index>(keptAncestor(groupOf_[static_cast<Index>(box)]))].boxes.push_back(box);
        for (auto& group : tree.groups)
            if (group.kind == ModuleGroup::Kind::run) group.title = titleOfRun(group.boxes);
        return tree;
    }

    /// Boxes of dissolved groups move to `g`.
    int heldDirectly(Index g, const std::vector<bool>& kept) const {
        int held = 0;
        for (Index other = g + 1; other < groups_.size(); ++other) {
            if (kept[other] || groups_[other].boxes.empty()) continue;
            int a = static_cast<int>(other);
            while (a >= 0 && !kept[static_cast<Index>(a)]) a = groups_[static_cast<Index>(a)].parent;
            held += a == static_cast<int>(g) ? 1 : 0;
        }
        return held;
    }

    const DrawnGraph& graph_;
    PathTree paths_;
    std::map<int, QString> types_;           ///< by path node
    std::map<int, std::vector<int>> calls_;  ///< by path node, in the order of the forward
    std::vector<int> forward_, backward_;
    std::set<int> owners_;  ///< of subgraphs
    std::vector<int> groupOf_;
    std::vector<ModuleGroup> groups_;
    std::vector<int> pathOf_{0};
};

}  // namespace

std::vector<int> boxesIn(const DrawnGraph& graph, int subgraph) {
    std::vector<int> boxes;
    for (Index i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i].subgraph == subgraph) boxes.push_back(static_cast<int>(i));
    return boxes;
}

GroupTree findGroups(const DrawnGraph& graph, const std::vector<int>& boxes) { return TreeBuilder(graph, boxes).run(); }

}  // namespace aotscope
