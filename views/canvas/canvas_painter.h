#pragma once

#include "canvas/place_index.h"
#include "canvas/text_cache.h"
#include "canvas/view/canvas_state.h"

namespace aotscope {

/// Paints the visible part of a large picture with as much detail as can be seen: labels, then boxes, then density.
/// Also finds what is at a place.
class CanvasPainter {
public:
    CanvasPainter();

    /// Call for a new picture; `layout` may be null.
    void setPicture(const std::shared_ptr<const DrawnGraph>& graph, const std::shared_ptr<const GraphLayout>& layout);
    /// Call when the colours of boxes have changed.
    void forgetColours() { colours_.clear(); }
    /// Paints the part of `view` inside `area` (in the coordinates of the layout), on a painter scaled by `scale`.
    /// `rough`: edges as thin lines, which take a fraction of the time.
    void paint(QPainter& painter, const QRectF& area, const QRectF& view, const CanvasState& state, double scale,
               bool rough);

    /// The box at a place; -1: none.
    int boxAt(QPointF place) const;
    bool hasBoxIn(const QRectF& area) const;
    /// The edge with a stub or a tip at a place; -1: none.
    int edgeAt(QPointF place) const;
    /// The frame whose title is at a place; -1: none.
    int frameTitleAt(QPointF place) const;

private:
    void paintFrames(QPainter& painter, const QRectF& area, const CanvasState& state, double scale);
    void paintFarTitles(QPainter& painter, const QRectF& view, const CanvasState& state, double scale) const;
    void paintEdges(QPainter& painter, const QRectF& area, const CanvasState& state, double scale, bool rough);
    static void paintMarks(QPainter& painter, int box, const QRectF& place, const CanvasState& state, double scale);
    void paintBoxes(QPainter& painter, const QRectF& area, const CanvasState& state, double scale);
    static void paintCurrent(QPainter& painter, const QRectF& box, const QColor& colour, double scale);
    const QPolygonF& lineOf(int edge);
    void findColours(const CanvasState& state);

    std::shared_ptr<const DrawnGraph> graph_;
    std::shared_ptr<const GraphLayout> layout_;
    std::shared_ptr<const PlaceIndex> index_;
    std::vector<std::pair<QColor, QColor>> colours_;  ///< fill and border of boxes, for small scales
    std::vector<QPolygonF> lines_;                    ///< edges without curves, for small scales
    TextCache titles_, texts_;
};

}  // namespace aotscope
