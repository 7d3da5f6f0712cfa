#pragma once

#include "canvas/graph_items.h"
#include "canvas/legend.h"

#include <QGraphicsScene>
#include <QGraphicsView>
#include <QLabel>
#include <memory>

namespace aotscope {

/// The canvas: shows one laid-out graph; zooms, pans, selects, walks along edges with the keyboard.
class GraphView : public QGraphicsView {
    Q_OBJECT

public:
    explicit GraphView(QWidget* parent = nullptr);

    /// Shows a picture; the camera goes to the selection if it is in it, else to the top.
    void showGraph(std::shared_ptr<const DrawnGraph> graph, std::shared_ptr<const GraphLayout> layout);
    /// Another version of the shown graph, with the same boxes and edges: the picture stands still.
    void restyle(std::shared_ptr<const DrawnGraph> graph);
    /// Shows only a sentence.
    void showMessage(const QString& text);
    /// A sentence over the picture that is there; empty hides it.
    void setNote(const QString& text);

    /// Marks a node and brings it into view; kNoNode clears. Does not emit nodeSelected.
    void select(NodeId id);
    NodeId selectedNode() const;
    /// Marks these nodes beside the selected one.
    void setAlsoSelected(const std::vector<NodeId>& ids);
    void setTheme(const Theme& theme);
    void setColourBy(ColourBy colourBy);

    const DrawnGraph* graph() const { return state_.graph.get(); }
    const GraphLayout* layout() const { return state_.layout.get(); }
    const PaintOptions& paintOptions() const { return state_.options; }
    std::size_t nodeItemCount() const { return nodeItems_.size(); }

    void fitAll();
    void fitWidth();
    void zoomBy(double factor);
    void resetZoom();
    void centreOnSelection();

Q_SIGNALS:
    /// The person has chosen a node (kNoNode: none).
    void nodeSelected(aotscope::NodeId id);
    /// A node was added to what is selected, or taken from it (Ctrl and click).
    void nodeToggled(aotscope::NodeId id);
    /// A menu for what is selected is asked for.
    void menuRequested(const QPoint& globalPosition);

protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;

private:
    void choose(int index);
    void mark(int index, bool bringIntoView);
    int valueOf(int index) const;
    int boxOf(NodeId id) const;
    int neighbour(int key) const;
    void followStub(int edge, QPointF scenePosition);
    void placeOverlays();

    CanvasState state_;
    QGraphicsScene scene_;
    std::vector<NodeItem*> nodeItems_;
    std::vector<EdgeItem*> edgeItems_;
    Legend* legend_;
    QLabel* note_;
    QPoint pressedAt_;
};

}  // namespace aotscope
