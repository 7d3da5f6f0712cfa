#pragma once

#include "canvas/drawn_graph.h"

#include <QByteArray>
#include <QPainterPath>
#include <QRectF>
#include <QString>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace aotscope {

/// The text at one end of a stub, and its place; empty if it does not fit.
struct StubLabel {
    QString text;
    QRectF place;
};

/// The route of one edge on the canvas.
struct EdgeShape {
    QPainterPath path;    ///< from source to target; empty for a stub
    bool stub = false;    ///< too long to draw: a labelled end at either side instead
    bool upward = false;  ///< flow stubs: leaves the box at the top
    QPointF start, end;   ///< on the borders of the boxes
    StubLabel startLabel, endLabel;

    StubLabel& label(bool atStart) { return atStart ? startLabel : endLabel; }
    const StubLabel& label(bool atStart) const { return atStart ? startLabel : endLabel; }
};

/// The frame around one half of an open group.
struct GroupFrame {
    int group = 0;  ///< of DrawnGraph::groups
    QRectF rect;
    bool backward = false;
    int box = -1;  ///< of an operator: its box, which is the title of the frame
};
constexpr qreal kFrameTitle = 16;  ///< height of the line in a frame that names the group

struct PlaceIndex;

/// Places of everything in a DrawnGraph, in pixels at 100 %. Parallel to its nodes and edges.
struct GraphLayout {
    std::vector<QRectF> boxes;
    std::vector<EdgeShape> edges;
    std::vector<GroupFrame> frames;  ///< outer ones precede inner ones
    QRectF bounds;
    std::shared_ptr<const PlaceIndex> index;  ///< null: created when shown
    std::vector<double> gutters;  ///< folded ladders: where the gap between forward and backward begins, per column
    QString note;                 ///< how it was made, when that matters to a person ("Graphviz took too long: ...")
};

/// The question for Graphviz, and what is decided beforehand: rows and which edges become stubs.
struct LayoutPlan {
    struct Column {
        std::vector<int> nodes;  ///< indices of drawn nodes that Graphviz places
        /// Boxes without edges (a counter that is updated), each with the box whose row it joins.
        std::vector<std::pair<int, int>> aside;
        std::vector<int> edges;  ///< indices of drawn edges that Graphviz routes
        QByteArray dot;
        bool upward = false;  ///< edges are given to Graphviz reversed
        double seconds = 0;   ///< that Graphviz needs, roughly; `dot` is empty if these are too many
    };
    std::vector<Column> columns;
    std::vector<int> rows;
    std::vector<bool> stubs;  ///< per edge
    double widestRow = 0;     ///< in pixels: its boxes without what is between them

    int rowCount() const;
    /// Graphviz would take too long, or the picture would be too tall or too wide to be looked at: it is folded
    /// instead.
    bool isLarge() const;
};
inline const std::atomic<bool> kNeverCancelled = false;
constexpr double kGraphvizSeconds = 1;  ///< that a picture may take
constexpr int kMostRows = 160;          ///< of a picture that is not folded
constexpr double kWidestRow = 12'000;   ///< likewise

/// The ladder for a joint graph (a forward and a backward column), one column for any other.
LayoutPlan planLayout(const DrawnGraph& graph);
/// The same with given rows.
LayoutPlan planLayout(const DrawnGraph& graph, std::vector<int> rows);

/// The edges that are too long to draw, or are one of too many of a box.
std::vector<bool> chooseStubs(const DrawnGraph& graph, const std::vector<int>& rows);

/// Composes Graphviz's answers (its "plain" format, one for each column). Throws Error if an answer cannot be read.
GraphLayout composeLayout(const DrawnGraph& graph, const LayoutPlan& plan, const std::vector<QByteArray>& answers);

/// A picture in linear time, without Graphviz; large ones are folded. If `cancelled` becomes true, it is unfinished.
GraphLayout simpleLayout(const DrawnGraph& graph, LayoutPlan plan, const QString& note,
                         const std::atomic<bool>& cancelled = kNeverCancelled);

}  // namespace aotscope
