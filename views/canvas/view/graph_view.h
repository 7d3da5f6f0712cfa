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
class GraphView : public QGraphicsView, public Themed {
    Q_OBJECT

public:
    explicit GraphView(QWidget* parent = nullptr);

    /// The camera for a new picture.
    enum class Camera : std::uint8_t {
        fit,     ///< as a whole if readable, else from the top
        all,     ///< as a whole
        keep,    ///< keeps the place: of the anchor, else of the selection, else of the middle
        hold,    ///< likewise, at the same zoom even if the whole picture would fit now
        zoomed,  ///< the anchor, else what is under the pointer, keeps its place and its width, if readable
    };
    /// Shows a picture. `anchor`: the key of a group that was opened or closed.
    void showGraph(std::shared_ptr<const DrawnGraph> graph, std::shared_ptr<const GraphLayout> layout,
                   Camera camera = Camera::fit, const QString& anchor = {});
    /// Called before the picture of another run: gives the boxes and the selection the ids of their nodes there, so
    /// that the camera finds them again. kNoNode: they no longer exist.
    void renumber(const std::function<NodeId(NodeId)>& idThere);
    /// Another version of the shown graph, with the same boxes and edges: the camera does not move.
    void restyle(std::shared_ptr<const DrawnGraph> graph);
    /// Shows only a sentence.
    void showMessage(const QString& text);
    /// A sentence over the current picture; empty hides it.
    void setNote(const QString& text);

    /// Marks a node, or the closed group around it, and brings it into view, without a signal; kNoNode: none.
    void select(NodeId id);
    /// Likewise for the next picture, before it is ready.
    void selectNext(NodeId id) { selectedNode_ = id; }
    NodeId selectedNode() const;
    /// Marks these nodes in addition to the selected one.
    void setAlsoSelected(const std::vector<NodeId>& ids);
    /// Marks these nodes as search hits.
    void setHits(const std::vector<NodeId>& ids);
    /// Marks the node that a debugger executes next, or the closed group that contains it; kNoNode: none.
    void setCurrent(NodeId id, bool bringIntoView);
    NodeId current() const { return currentNode_; }
    void setTheme(const Theme& theme) override;
    void setColourBy(ColourBy colourBy);

    const DrawnGraph* graph() const { return state_.graph.get(); }
    const GraphLayout* layout() const { return state_.layout.get(); }
    const PaintOptions& paintOptions() const { return state_.options; }
    std::size_t nodeItemCount() const { return state_.graph ? state_.graph->nodes.size() : 0; }
    /// The selected group or operator; for a selected node, the open group around it; -1: none.
    int selectedGroup() const;

    /// The camera: the place in the middle and the zoom.
    struct Position {
        QPointF centre;
        double zoom = 0;  ///< 0: none
    };
    Position position() const;
    void goTo(const Position& position);
    double zoom() const { return transform().m11(); }
    /// For readable pictures.
    Room room() const;
    /// The picture extends beyond the sides, and would be unreadable if it were smaller.
    bool isTooWide() const;
    /// The closed group that is so large on the screen that it should open, at a place in the picture; -1: none.
    int groupFilling(QPointF place) const;
    /// The innermost group, closed or open, at a place in the picture; -1: none.
    int groupAt(QPointF place) const;
    void showMinimap(bool shown);
    /// To be placed beside the canvas.
    Legend* legend() const { return legend_; }
    /// The part in the window; complete a moment after the camera has stopped.
    const BackingPicture& picture() const { return picture_; }

    void fitAll();
    /// The zoom of fitAll(); 1 without a picture.
    double zoomOfAll() const;
    void fitWidth();
    void zoomBy(double factor);
    void resetZoom();
    void centreOnSelection();
    /// Moves only if its box, or the closed group that contains it, is not in view.
    void bringNodeIntoView(NodeId id);

Q_SIGNALS:
    /// The user has selected a node (kNoNode: none).
    void nodeSelected(aotscope::NodeId id);
    /// A node was added to the selection, or removed from it (Ctrl and click).
    void nodeToggled(aotscope::NodeId id);
    /// A menu for the selection is requested.
    void menuRequested(const QPoint& globalPosition);
    /// Open or close a group: an index of DrawnGraph::groups.
    void groupToggled(int group, bool open);
    /// The user has zoomed in or out, at a place in the picture.
    void zoomed(bool inwards, QPointF place);
    /// Another part is in view, or another zoom.
    void cameraMoved();

protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;

private:
    /// How the camera was placed last, if it has not been moved since.
    enum class Fitted : std::uint8_t { no, start, all, width };
    /// Something that exists in two pictures.
    struct Landmark {
        NodeId node = kNoNode;
        QString group;
        bool backward = false;  ///< ladders: which half
        QPointF seenAt;         ///< in the viewport
        QRectF seenIn = {};     ///< its whole rectangle, if its size is to be kept
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
    void fitAgain();
    void showScrollBarsNow();
    void followCamera();
    void placeMinimap();
    bool isFree(const QRect& place) const;
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

    double usual_;  ///< zoom for the font
    CanvasState state_;
    CanvasPainter painter_;
    BackingPicture picture_;
    CrossFade fade_;        ///< from the zoomed thing
    QTimer resting_;        ///< since the camera has moved
    QGraphicsScene scene_;  ///< has the size of the picture and no items: one painter draws all of it
    Legend* legend_;
    Minimap* minimap_;
    QLabel* note_;
    bool minimapWanted_ = true;
    Fitted fitted_ = Fitted::no;
    bool placing_ = false;           ///< the camera is moved, not by the user
    QPoint pointedAt_{-1, -1};       ///< place of the pointer when it pressed or zoomed
    NodeId selectedNode_ = kNoNode;  ///< may be in a closed group
    NodeId currentNode_ = kNoNode;   ///< likewise
};

}  // namespace aotscope
