#pragma once

#include "canvas/layout/groups.h"
#include "canvas/layout/layout.h"
#include "canvas/theme.h"

#include <QLineF>
#include <QPainter>

namespace aotscope {

class TextCache;

/// The look of boxes and edges, on the screen and in exported pictures.
struct PaintOptions {
    Theme theme = Theme::light();
    ColourBy colourBy = ColourBy::stage;
    double scale = 1;                               ///< of the view: small text is omitted
    TextCache *titles = nullptr, *texts = nullptr;  ///< for the screen; null: text stays text in the picture

    bool onScreen() const { return titles != nullptr; }
    /// Seen from so far away that round corners and dashes are not worth their cost.
    bool isFar() const { return onScreen() && scale < 0.55; }
};

void paintNode(QPainter& painter, const DrawnNode& node, const QRectF& box, const PaintOptions& options);
void paintEdge(QPainter& painter, const DrawnEdge& edge, const EdgeShape& shape, const PaintOptions& options,
               bool highlighted);
/// The labels of bundles and of the ends of stubs: after all edges, which would cross them.
void paintEdgeLabels(QPainter& painter, const DrawnEdge& edge, const EdgeShape& shape, const PaintOptions& options,
                     bool highlighted);

/// The frame around one half of an open group, with its name; that of an operator is a box, painted with the boxes.
void paintFrame(QPainter& painter, const GroupTree& tree, const GroupFrame& frame, const PaintOptions& options);
/// The label of a frame: the module with its type, the operator or subgraph; the number of similar ones.
QString frameTitle(const GroupTree& tree, const GroupFrame& frame);
/// The text on a box that is the title of a frame, cut off where necessary.
QString titleInFrame(const DrawnNode& node, const QRectF& box);
/// Where the title of a frame is written.
QPointF frameTitlePlace(const GroupFrame& frame);
constexpr qreal kFrameRadius = 6, kGroupInset = 3;
constexpr float kFrameTint = 0.07F, kFrameLine = 0.55F;
/// The place of a bundle's edge count; null for a single edge.
QPointF countPlace(const DrawnEdge& edge, const EdgeShape& shape);
QString countText(const DrawnEdge& edge);

/// The cut of a flow network, drawn below a box; null for a value that is not cut.
QLineF cutLine(const DrawnNode& node, const QRectF& box);
double edgeWidth(const DrawnEdge& edge);
/// While nothing is highlighted.
QColor edgeColour(const DrawnEdge& edge, const Theme& theme);
/// The outline of a box: operations have small corners, inputs and outputs round ends.
qreal cornerRadius(const DrawnNode& node, const QRectF& box);
/// The place of the tag on a box for a group of values that share memory; empty if not shown.
QRectF tagPlace(const DrawnNode& node, const QRectF& box, ColourBy by);

/// The place of the note on a box that its placement has changed; empty if it has not.
QRectF changePlace(const DrawnNode& node, const QRectF& box);
constexpr qreal kChangeMargin = 3;  ///< between a box and the frame that marks its change

/// One colour and its meaning, side by side.
int legendEntryWidth(const Theme::LegendEntry& entry);
void paintLegendEntry(QPainter& painter, const Theme::LegendEntry& entry, const QRectF& place, const Theme& theme);
/// All entries, one below the other.
void paintLegend(QPainter& painter, const DrawnGraph& graph, QPointF topLeft, const PaintOptions& options);

/// The whole picture, in the coordinates of the layout.
void paintPicture(QPainter& painter, const DrawnGraph& graph, const GraphLayout& layout, const PaintOptions& options);

/// One end of an edge that is too long to draw: a short arrow, and the place of its label.
struct StubEnd {
    QPainterPath path;
    QPointF tip;
    bool textAtRight = true;
};
StubEnd stubEnd(const DrawnEdge& edge, const EdgeShape& shape, bool start);

/// A filled triangle at the end of `path`, pointing along it.
QPolygonF arrowHead(const QPainterPath& path);

}  // namespace aotscope
