#pragma once

#include "canvas/theme.h"
#include "canvas/view/graph_view.h"
#include "canvas/view/text_zoom.h"
#include "support/literals.h"

#include <QFontInfo>

namespace aotscope::test {

/// The least size of the graph's part, with its tabs and the strip below, in a window of a usual size: on small
/// screens, docks are narrower, or folded into the edges.
inline QSize paneIn(QSize window) {
    const int docks = window.width() < 1100 ? 355 : window.width() < 1400 ? 410 : 690;
    return window - QSize(docks, 95);
}

/// What is in sight on a canvas: boxes that are entirely in the window, and under nothing that lies on it.
struct Sight {
    struct Half {
        int boxes = 0, seen = 0;
        bool begins = false, ends = false;  ///< whether its first and its last box are in sight
        /// Enough to see what it is.
        bool inSight() const { return seen >= std::min(boxes, 3); }
    };
    Half forward, backward;
    double text = 0;  ///< height of the smallest text, in pixels

    static constexpr double kSmallestText = 6;

    bool empty() const { return forward.seen + backward.seen == 0; }
    bool readable() const { return text >= kSmallestText; }
    /// Both halves with the beginning of the model; of a graph with one half, this half.
    bool good() const { return readable() && forward.inSight() && forward.begins && backward.inSight(); }
};

inline Sight sightOf(const GraphView& view) {
    const DrawnGraph& graph = *view.graph();
    const QRect window = view.viewport()->rect();
    std::vector<QRect> covers;
    for (const QWidget* part : view.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (part != view.viewport() && part->isVisible())
            covers.push_back(part->geometry().translated(-view.viewport()->pos()));
    const auto seen = [&](std::size_t box) {
        const QRect place = view.mapFromScene(view.layout()->boxes[box]).boundingRect();
        return window.contains(place) &&
               std::ranges::none_of(covers, [&](const QRect& cover) { return cover.intersects(place); });
    };
    Sight sight;
    std::array<int, 2> last{-1, -1};
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const bool isBackward = graph.isBackward(static_cast<int>(i)), isSeen = seen(i);
        Sight::Half& half = isBackward ? sight.backward : sight.forward;
        const auto kind = graph.nodes[i].kind;
        half.begins = half.begins || (isSeen && (half.boxes == 0 || kind == DrawnNode::Kind::input));
        half.ends = half.ends || (isSeen && kind == DrawnNode::Kind::output);
        if (kind != DrawnNode::Kind::output) last[isBackward ? 1 : 0] = static_cast<int>(i);
        ++half.boxes;
        half.seen += isSeen ? 1 : 0;
    }
    sight.forward.ends = sight.forward.ends || (last[0] >= 0 && seen(static_cast<std::size_t>(last[0])));
    sight.backward.ends = sight.backward.ends || (last[1] >= 0 && seen(static_cast<std::size_t>(last[1])));
    sight.text =
        std::min(QFontInfo(lineFont()).pixelSize(), QFontInfo(titleFont()).pixelSize()) * view.zoom() / usualZoom();
    return sight;
}

inline QString describe(const Sight& sight) {
    const auto half = [](const Sight::Half& part) {
        return u"%1 of %2 boxes%3%4"_s.arg(part.seen)
            .arg(part.boxes)
            .arg(part.begins ? u", begins"_s : QString(), part.ends ? u", ends"_s : QString());
    };
    return u"forward %1; backward %2; text of %3 pixels"_s.arg(half(sight.forward), half(sight.backward))
        .arg(sight.text, 0, 'f', 1);
}

}  // namespace aotscope::test
