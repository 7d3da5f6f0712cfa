#include "canvas/open_to_fit.h"

namespace aotscope {

namespace {

using Index = std::size_t;

double areaOf(const QSizeF& size) { return size.width() * size.height(); }

/// At least so much room is taken by a picture that is open to a depth: the boxes in open modules, without the closed
/// ones. By depth.
std::vector<double> leastAreas(const DrawnGraph& graph) {
    std::vector<double> areas(static_cast<Index>(graph.groups->deepest()) + 2);
    for (const DrawnNode& node : graph.nodes)
        areas[static_cast<Index>((*graph.groups)[node.within].depth) + 1] += areaOf(node.size);
    for (Index depth = 1; depth < areas.size(); ++depth) areas[depth] += areas[depth - 1];
    return areas;
}

}  // namespace

OpenedGraph openToFit(const std::shared_ptr<const DrawnGraph>& whole, QSizeF room,
                      const std::function<GraphLayout(const DrawnGraph&)>& layOut) {
    if (!hasGroups(*whole)) return {{}, whole, layOut(*whole)};
    const std::vector<double> areas = leastAreas(*whole);
    OpenedGraph opened;
    for (int depth = whole->groups->deepest() + 1; depth >= 1; --depth) {
        // Large pictures are not worth a try.
        if (depth > 1 && areas[static_cast<Index>(depth)] > areaOf(room)) continue;
        opened.state = collapsedTo(*whole->groups, depth);
        opened.seen = visibleGraph(whole, opened.state);
        opened.layout = layOut(*opened.seen);
        const QSizeF size = opened.layout.bounds.size();
        if (size.width() <= room.width() && size.height() <= room.height()) break;
    }
    return opened;
}

}  // namespace aotscope
