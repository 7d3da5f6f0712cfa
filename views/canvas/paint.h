#pragma once

#include "canvas/layout/groups.h"
#include "canvas/layout/layout.h"
#include "canvas/theme.h"

#include <QLineF>
#include <QPainter>

namespace aotscope {

class TextCache;

/// How boxes and edges look, for the screen and for exported pictures alike.
struct PaintOptions {
    Theme theme = Theme::light();
    ColourBy colourBy = ColourBy::stage;
    double scale = 1;                               ///< of the view: small text is left out
    TextCache *titles = nullptr, *texts = nullptr;  ///< for the screen; null: text is text in the picture

    bool onScreen() const { return titles != nullptr; }
    /// Seen from so far that round corners and dashes cost more than they show.
    bool isFar() const { return onScreen() && scale < 0.55; }
};

void paintNode(QPainter& painter, const DrawnNode& node, const QRectF& box, const PaintOptions& options);
void paintEdge(QPainter& painter, const DrawnEdge& edge, const EdgeShape& shape, const PaintOptions& options,
               bool highlighted);
/// What is written on a bundle, and at the ends of a stub: after all edges, which would run through it.
void paintEdgeLabels(QPainter& painter, const DrawnEdge& edge, const EdgeShape& shape, const PaintOptions& options,
                     bool highlighted);

/// The frame around one half of an open group, with its name; that of an operator is a box, painted with the boxes.
void paintFrame(QPainter& painter, const GroupTree& tree, const GroupFrame& frame, const PaintOptions& options);
/// What is written on a frame: the module with its type, the operator or subgraph; how many are like it.
QString frameTitle(const GroupTree& tree, const GroupFrame& frame);
/// Of the text on a box that is the title of a frame, cut off where it has to be.
QString titleInFrame(const DrawnNode& node, const QRectF& box);
/// Of the text on a frame.
QPointF frameTitlePlace(const GroupFrame& frame);
constexpr qreal kFrameRadius = 6, kGroupInset = 3;
constexpr float kFrameTint = 0.07F, kFrameLine = 0.55F;
/// Where the count of a bundle of edges stands; null if it is a single edge.
QPointF countPlace(const DrawnEdge& edge, const EdgeShape& shape);
QString countText(const DrawnEdge& edge);

/// Where a flow network is cut, drawn below a box; null for a value that is not cut.
QLineF cutLine(const DrawnNode& node, const QRectF& box);
double edgeWidth(const DrawnEdge& edge);
/// Where nothing is highlighted.
QColor edgeColour(const DrawnEdge& edge, const Theme& theme);
/// Of a box: operations have small corners, inputs and outputs are round at their ends.
qreal cornerRadius(const DrawnNode& node, const QRectF& box);
/// Where the tag of a group of values that share memory sits on a box; empty if it is not shown.
QRectF tagPlace(const DrawnNode& node, const QRectF& box, ColourBy by);

/// Where it is said on a box that its placement has changed; empty if it has not.
QRectF changePlace(const DrawnNode& node, const QRectF& box);
constexpr qreal kChangeMargin = 3;  ///< between a box and the frame around it that marks the change

/// One colour and its meaning, side by side.
int legendEntryWidth(const Theme::LegendEntry& entry);
void paintLegendEntry(QPainter& painter, const Theme::LegendEntry& entry, const QRectF& place, const Theme& theme);
/// All of them below each other.
void paintLegend(QPainter& painter, const DrawnGraph& graph, QPointF topLeft, const PaintOptions& options);

/// The whole picture, in the coordinates of the layout.
void paintPicture(QPainter& painter, const DrawnGraph& graph, const GraphLayout& layout, const PaintOptions& options);

/// One end of an edge that is too long to draw: a short arrow, and where its label goes.
struct StubEnd {
    QPainterPath path;
    QPointF tip;
    bool textAtRight = true;
};
StubEnd stubEnd(const DrawnEdge& edge, const EdgeShape& shape, bool start);

/// A filled triangle at the end of `path`, pointing along it.
QPolygonF arrowHead(const QPainterPath& path);

}  // namespace aotscope
