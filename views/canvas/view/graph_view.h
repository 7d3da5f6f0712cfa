#pragma once

#include "canvas/canvas_painter.h"
#include "canvas/layout/open_to_fit.h"
#include "canvas/legend.h"
#include "canvas/view/backing_picture.h"
#include "canvas/view/cross_fade.h"
#include "canvas/view/minimap.h"

#include <QGraphicsScene>
#include <QGraphicsView>
#include <QLabel>
#include <QTimer>
#include <functional>
#include <memory>

namespace aotscope {

/// The canvas: shows one laid-out graph; zooms, pans, selects, walks along edges with the keyboard.
class GraphView : public QGraphicsView {
    Q_OBJECT

public:
    explicit GraphView(QWidget* parent = nullptr);

    /// Which camera a new picture is seen with.
    enum class Camera : std::uint8_t {
        fit,     ///< as a whole if it can be read then, else from the top
        all,     ///< as a whole
        keep,    ///< what is looked at stands still: the anchor, else the selection, else what is in the middle
        hold,    ///< so it does, at the same zoom even if all of the picture would fit now
        zoomed,  ///< the anchor, else what is pointed at, stands still and is as wide as before, if it can be read then
    };
    /// Shows a picture. `anchor`: the key of a group that was opened or closed.
    void showGraph(std::shared_ptr<const DrawnGraph> graph, std::shared_ptr<const GraphLayout> layout,
                   Camera camera = Camera::fit, const QString& anchor = {});
    /// Before the picture of another run: gives the boxes and the selection the ids that their nodes have there, so
    /// that the camera finds them again. kNoNode: they are gone.
    void renumber(const std::function<NodeId(NodeId)>& idThere);
    /// Another version of the shown graph, with the same boxes and edges: the picture stands still.
    void restyle(std::shared_ptr<const DrawnGraph> graph);
    /// Shows only a sentence.
    void showMessage(const QString& text);
    /// A sentence over the picture that is there; empty hides it.
    void setNote(const QString& text);

    /// Marks a node, or the closed group it is in, and brings it into view; kNoNode clears. Does not emit nodeSelected.
    void select(NodeId id);
    /// The same for the next picture, while it is not there yet.
    void selectNext(NodeId id) { selectedNode_ = id; }
    NodeId selectedNode() const;
    /// Marks these nodes beside the selected one.
    void setAlsoSelected(const std::vector<NodeId>& ids);
    /// Marks these nodes as what a search has found.
    void setHits(const std::vector<NodeId>& ids);
    /// Marks the node that a debugger executes next, or the closed group it is in; kNoNode: none.
    void setCurrent(NodeId id, bool bringIntoView);
    NodeId current() const { return currentNode_; }
    void setTheme(const Theme& theme);
    void setColourBy(ColourBy colourBy);

    const DrawnGraph* graph() const { return state_.graph.get(); }
    const GraphLayout* layout() const { return state_.layout.get(); }
    const PaintOptions& paintOptions() const { return state_.options; }
    std::size_t nodeItemCount() const { return state_.graph ? state_.graph->nodes.size() : 0; }
    /// The group whose box is selected, or the operator; with a node, the open group around it; -1: none.
    int selectedGroup() const;

    /// What is in view: the place in the middle and the zoom.
    struct Position {
        QPointF centre;
        double zoom = 0;  ///< 0: none
    };
    Position position() const;
    void goTo(const Position& position);
    double zoom() const { return transform().m11(); }
    /// For pictures that can be read.
    Room room() const;
    /// The picture goes on at the sides, and could not be read if it were smaller.
    bool isTooWide() const;
    /// The closed group that is so large on the screen that one wants to see what is in it, at a place in the picture;
    /// -1: none.
    int groupFilling(QPointF place) const;
    /// The innermost group, closed or open, at a place in the picture; -1: none.
    int groupAt(QPointF place) const;
    void showMinimap(bool shown);
    /// What is in the window; whole again a moment after the camera has come to rest.
    const BackingPicture& picture() const { return picture_; }

    void fitAll();
    /// The zoom that fitAll() comes to; 1 without a picture.
    double zoomOfAll() const;
    void fitWidth();
    void zoomBy(double factor);
    void resetZoom();
    void centreOnSelection();
    /// Moves only if its box, or the closed group it is in, is not in view.
    void bringNodeIntoView(NodeId id);

Q_SIGNALS:
    /// The person has chosen a node (kNoNode: none).
    void nodeSelected(aotscope::NodeId id);
    /// A node was added to what is selected, or taken from it (Ctrl and click).
    void nodeToggled(aotscope::NodeId id);
    /// A menu for what is selected is asked for.
    void menuRequested(const QPoint& globalPosition);
    /// A group is to be opened or closed: one of DrawnGraph::groups.
    void groupToggled(int group, bool open);
    /// The person has zoomed in or out, at a place in the picture.
    void zoomed(bool inwards, QPointF place);
    /// Another part is in view, or another zoom.
    void cameraMoved();

protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;

private:
    /// Something that is in two pictures.
    struct Landmark {
        NodeId node = kNoNode;
        QString group;
        bool backward = false;  ///< ladders: which half
        QPointF seenAt;         ///< in the viewport
        QRectF seenIn = {};     ///< all of it, if its size is to be kept
    };

    void choose(int index, bool bringIntoView = true);
    void mark(int index, bool bringIntoView);
    void bringIntoView(int index);
    void findCurrent();
    int valueOf(int index) const;
    int boxOf(NodeId id) const;
    std::set<int> boxesOf(const std::vector<NodeId>& ids) const;
    int neighbour(int key) const;
    void followStub(int edge, QPointF scenePosition);
    void repaintPicture();
    void zoomBy(double factor, QPointF at);
    void zoomTo(double zoom, QPointF at);
    QPointF pointer() const;
    void moveTo(QPointF place, QPointF seenAt);
    void placeOverlays();
    void refreshOverlays();
    void jump(const std::function<void()>& toPlace);
    void followCamera();
    bool minimapWouldCut() const;
    bool toggleAt(QPointF place);
    bool handleGroupKey(int key);
    Landmark landmark(const QString& anchor) const;
    Landmark groupLandmark(const QString& key) const;
    Landmark boxLandmark() const;
    Landmark zoomedLandmark(const QString& anchor) const;
    int boxNearest(QPointF place) const;
    const GroupFrame* frameOf(const Landmark& mark) const;
    QRectF placeOf(const Landmark& mark) const;
    QRectF firstBoxIn(const GroupFrame& frame) const;
    QPointF handleOf(const Landmark& mark, const QRectF& place) const;
    void hold(const Landmark& mark);
    void holdSize(const Landmark& mark);
    void start();

    CanvasState state_;
    CanvasPainter painter_;
    BackingPicture picture_;
    CrossFade fade_;        ///< from what was zoomed
    QTimer resting_;        ///< since the camera has moved
    QGraphicsScene scene_;  ///< has the size of the picture and no items: one painter draws all of it
    Legend* legend_;
    Minimap* minimap_;
    QLabel* note_;
    bool minimapWanted_ = true;
    QPoint pointedAt_{-1, -1};       ///< where the pointer was when it pressed or zoomed
    NodeId selectedNode_ = kNoNode;  ///< may be in a closed group
    NodeId currentNode_ = kNoNode;   ///< may be, too
};

}  // namespace aotscope
