#include "canvas/layout/open_to_fit.h"

#include "canvas/layout/first_view.h"

#include <algorithm>
#include <utility>

namespace aotscope {

namespace {

using Index = std::size_t;

using LayOut = std::function<GraphLayout(const DrawnGraph&)>;

constexpr Index kMostScrolled = 2000;  ///< boxes of a picture that is scrolled
constexpr double kWider = 1.15;        ///< how much wider an already wide picture may become

double areaOf(const QSizeF& size) { return size.width() * size.height(); }

/// The least room for a picture that is open to a depth: the boxes in open modules, without the closed ones. By depth.
std::vector<double> leastAreas(const DrawnGraph& graph) {
    std::vector<double> areas(static_cast<Index>(graph.groups->deepest()) + 2);
    for (const DrawnNode& node : graph.nodes)
        areas[static_cast<Index>(graph.groups->openDepth(node.within)) + 1] += areaOf(node.size);
    for (Index depth = 1; depth < areas.size(); ++depth) areas[depth] += areas[depth - 1];
    return areas;
}

/// The visible closed module with more than half of all operations; -1: none.
int mostOf(const GroupTree& tree, const ViewState& state) {
    int group = 0;
    const auto isMost = [&](int child) { return 2 * tree[child].operations > tree[0].operations; };
    do {
        const auto& children = tree[group].children;
        const auto most = std::ranges::find_if(children, isMost);
        if (most == children.end()) return -1;
        group = *most;
    } while (!state.collapsed.contains(tree[group].key));
    return group;
}

bool fits(const OpenedGraph& opened, const QSizeF& room) {
    const QSizeF size = opened.layout.bounds.size();
    return size.width() <= room.width() && size.height() <= room.height();
}

OpenedGraph shown(const std::shared_ptr<const DrawnGraph>& whole, ViewState state, const LayOut& layOut) {
    OpenedGraph opened{std::move(state), {}, {}};
    opened.seen = visibleGraph(whole, opened.state);
    opened.layout = layOut(*opened.seen);
    return opened;
}

/// The deepest level that fits as a whole.
OpenedGraph openToWhole(const std::shared_ptr<const DrawnGraph>& whole, QSizeF room, const LayOut& layOut) {
    const std::vector<double> areas = leastAreas(*whole);
    OpenedGraph opened;
    for (int depth = whole->groups->deepest() + 1; depth >= 1; --depth) {
        // Large pictures are not worth a try.
        if (depth > 1 && areas[static_cast<Index>(depth)] > areaOf(room)) continue;
        ViewState state = collapsedTo(*whole->groups, depth);
        if (opened.seen && state == opened.state) continue;  // between an operator and one within it
        opened = shown(whole, std::move(state), layOut);
        if (fits(opened, room)) break;
    }
    return opened;
}

FirstView firstViewOf(const OpenedGraph& opened, const Room& room) {
    return firstView(*opened.seen, opened.layout, {room.width, room.whole.height()}, room.furthest);
}

/// Closes the runs of a picture that is too wide, or shows only one half from near by, if more is seen then.
void closeRuns(const std::shared_ptr<const DrawnGraph>& whole, const Room& room, const LayOut& layOut,
               OpenedGraph& opened) {
    const FirstView before = firstViewOf(opened, room);
    if (before.showsBoth && before.further == 1 && opened.layout.bounds.width() <= room.width) return;
    ViewState state = withRunsClosed(*whole->groups, opened.state);
    if (state == opened.state) return;
    OpenedGraph closed = shown(whole, std::move(state), layOut);
    const auto rank = [](const FirstView& view) { return std::pair(view.showsBoth, view.share / view.further); };
    if (rank(firstViewOf(closed, room)) > rank(before)) opened = std::move(closed);
}

}  // namespace

OpenedGraph openToFit(const std::shared_ptr<const DrawnGraph>& whole, const Room& room, const LayOut& layOut) {
    if (!hasGroups(*whole)) return {{}, whole, layOut(*whole)};
    OpenedGraph opened = openToWhole(whole, room.whole, layOut);
    if (!fits(opened, room.whole)) closeRuns(whole, room, layOut, opened);
    for (int most = mostOf(*whole->groups, opened.state); most > 0; most = mostOf(*whole->groups, opened.state)) {
        const ViewState state = toggled(*whole->groups, opened.state, most, true);
        if (visibleGraph(whole, state)->nodes.size() > kMostScrolled) break;
        OpenedGraph further = shown(whole, state, layOut);
        const double wide = std::max(room.width, kWider * opened.layout.bounds.width());
        if (further.layout.bounds.width() > wide) break;
        if (firstViewOf(opened, room).showsBoth && !firstViewOf(further, room).showsBoth) break;
        opened = std::move(further);
    }
    return opened;
}

}  // namespace aotscope
