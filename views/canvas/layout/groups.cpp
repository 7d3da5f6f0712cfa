#include "canvas/layout/groups.h"

#include "canvas/alike.h"
#include "canvas/layout/find_groups.h"
#include "canvas/layout/subgraph_groups.h"
#include "models/picture_text.h"

#include <algorithm>

namespace aotscope {

bool GroupTree::isWithin(int group, int ancestor) const {
    while (group > ancestor) group = (*this)[group].parent;
    return group == ancestor;
}

int GroupTree::commonAncestor(int a, int b) const {
    while (a != b) {
        if ((*this)[a].depth >= (*this)[b].depth) a = (*this)[a].parent;
        else b = (*this)[b].parent;
    }
    return a;
}

int GroupTree::openDepth(int group) const {
    const ModuleGroup& own = (*this)[opening(group)];
    return own.kind == ModuleGroup::Kind::run ? openDepth(own.parent) : own.depth;
}

int GroupTree::deepest() const {
    int depth = 0;
    for (std::size_t g = 0; g < size(); ++g) depth = std::max(depth, openDepth(static_cast<int>(g)));
    return depth;
}

int GroupTree::opening(int group) const {
    const ModuleGroup& own = (*this)[group];
    return own.kind == ModuleGroup::Kind::subgraph ? own.parent : group;
}

int GroupTree::byKey(const QString& key) const {
    const auto it = std::find_if(groups.begin() + 1, groups.end(), [&](const auto& g) { return g.key == key; });
    return it == groups.end() ? -1 : static_cast<int>(it - groups.begin());
}

QString GroupTree::nameWithin(int group) const {
    const ModuleGroup& own = (*this)[group];
    const QString& around = (*this)[own.parent].path;
    return !around.isEmpty() && own.path.startsWith(around + u'.') ? own.path.mid(around.size() + 1) : own.path;
}

const QString& GroupTree::fullName(int group) const {
    const ModuleGroup& own = (*this)[group];
    return own.kind == ModuleGroup::Kind::module ? own.path : own.title;
}

QString titleOf(const GroupTree& tree, int group) {
    if (tree[group].kind != ModuleGroup::Kind::module) return pictureText(tree[group].title);
    const QString name = pictureText(tree.nameWithin(group)), type = pictureText(tree[group].type);
    return type.isEmpty() ? name : name + QStringLiteral(" · ") + type;
}

void placeBoxes(DrawnGraph& graph, const GroupTree& tree, int group) {
    const bool isRun = tree[group].kind == ModuleGroup::Kind::run;
    for (const int box : tree[group].boxes) {
        DrawnNode& node = graph.nodes[static_cast<std::size_t>(box)];
        node.within = isRun ? tree[group].parent : group;
        node.run = isRun ? group : -1;
    }
}

std::shared_ptr<const DrawnGraph> withGroups(DrawnGraph graph) {
    if (!graph.network) {
        GroupTree tree = findGroups(graph, boxesIn(graph, -1));
        for (std::size_t g = 0; g < tree.size(); ++g) placeBoxes(graph, tree, static_cast<int>(g));
        addSubgraphGroups(graph, tree);
        shortenLabels(graph, tree);
        findAlike(graph, tree);
        graph.groups = std::make_shared<const GroupTree>(std::move(tree));
    }
    return std::make_shared<const DrawnGraph>(std::move(graph));
}

}  // namespace aotscope
