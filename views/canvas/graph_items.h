#pragma once

#include "canvas/paint.h"

#include <QGraphicsItem>
#include <set>

namespace aotscope {

/// What all items of one canvas look at; owned by the view.
struct CanvasState {
    std::shared_ptr<const DrawnGraph> graph;
    std::shared_ptr<const GraphLayout> layout;
    PaintOptions options;
    int selected = -1;           ///< index of the selected node
    std::set<int> alsoSelected;  ///< and of those marked with it
};

class NodeItem final : public QGraphicsItem {
public:
    NodeItem(const CanvasState& state, int index);
    int index() const { return index_; }
    /// The box has become another one.
    void refreshTip();
    QRectF boundingRect() const override;
    QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    const CanvasState& state_;
    int index_;
};

class EdgeItem final : public QGraphicsItem {
public:
    EdgeItem(const CanvasState& state, int index);
    int index() const { return index_; }
    QRectF boundingRect() const override { return bounds_; }
    QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    const DrawnEdge& edge() const;
    const EdgeShape& drawn() const;

    const CanvasState& state_;
    int index_;
    QRectF bounds_;
};

}  // namespace aotscope
