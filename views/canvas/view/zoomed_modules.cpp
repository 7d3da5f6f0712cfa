#include "canvas/view/zoomed_modules.h"

#include <algorithm>

namespace aotscope {

namespace {

using Index = std::size_t;

/// For each group, whether its box or its frame is in the picture.
std::vector<bool> inSight(const GroupTree& tree, const ViewState& state) {
    std::vector<bool> seen(tree.size(), true);
    for (Index g = 1; g < tree.size(); ++g) {
        const auto parent = static_cast<Index>(tree.groups[g].parent);
        seen[g] = seen[parent] && !state.collapsed.contains(tree.groups[parent].key);
    }
    return seen;
}

}  // namespace

OpenDepth depthOf(const GroupTree& tree, const ViewState& state) {
    using Kind = ModuleGroup::Kind;
    OpenDepth depth{tree.deepest() + 1, 0, 0};
    const std::vector<bool> seen = inSight(tree, state);
    for (Index g = 1; g < tree.size(); ++g) {
        const ModuleGroup& group = tree.groups[g];
        if (!seen[g] || group.kind == Kind::subgraph) continue;
        if (!state.collapsed.contains(group.key)) {
            if (group.kind != Kind::run) depth.open = std::max(depth.open, group.depth);
            continue;
        }
        depth.closed = std::min(depth.closed, group.depth);
        ++depth.modules;
    }
    return depth;
}

ViewState closedByZoom(const GroupTree& tree, ViewState state, const QSet<QString>& byHand) {
    const std::vector<bool> seen = inSight(tree, state);
    std::vector<bool> kept(tree.size(), false);
    int deepest = 0;
    const auto closes = [&](Index g) {
        return tree.groups[g].kind != ModuleGroup::Kind::subgraph && tree.groups[g].kind != ModuleGroup::Kind::run;
    };
    const auto isOpen = [&](Index g) { return seen[g] && !state.collapsed.contains(tree.groups[g].key); };
    for (Index g = tree.size(); g-- > 1;) {  // inner groups come after those around them
        if (!isOpen(g)) continue;
        kept[g] = kept[g] || byHand.contains(tree.groups[g].key);
        if (kept[g]) kept[static_cast<Index>(tree.groups[g].parent)] = true;
        else if (closes(g)) deepest = std::max(deepest, tree.groups[g].depth);
    }
    for (Index g = 1; g < tree.size(); ++g)
        if (isOpen(g) && closes(g) && !kept[g] && tree.groups[g].depth == deepest)
            state.collapsed.insert(tree.groups[g].key);
    return state;
}

}  // namespace aotscope
