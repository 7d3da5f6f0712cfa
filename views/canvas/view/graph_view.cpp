#include "canvas/view/graph_view.h"

#include "canvas/view/text_zoom.h"

#include <QScrollBar>
#include <utility>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr int kRestMs = 80;  ///< without a movement, until a moved picture is repainted

}  // namespace

GraphView::GraphView(QWidget* parent)
    : QGraphicsView(parent),
      usual_(usualZoom()),
      fade_(viewport()),
      legend_(new Legend(state_, this)),
      minimap_(new Minimap(state_, this)),
      note_(new QLabel(this)) {
    setScene(&scene_);
    setDragMode(QGraphicsView::ScrollHandDrag);
    setRenderHint(QPainter::Antialiasing);
    setTransformationAnchor(QGraphicsView::AnchorViewCenter);
    setResizeAnchor(QGraphicsView::AnchorViewCenter);
    setOptimizationFlags(QGraphicsView::DontSavePainterState | QGraphicsView::DontAdjustForAntialiasing);
    setViewportUpdateMode(QGraphicsView::MinimalViewportUpdate);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    resting_.setSingleShot(true);
    resting_.setInterval(kRestMs);
    connect(&resting_, &QTimer::timeout, this, [this] {
        if (!picture_.isWhole()) repaintPicture();
    });
    for (QWidget* part : std::initializer_list<QWidget*>{this, viewport()})
        part->setAcceptDrops(false);  // the window takes dropped files
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Graph"));
    note_->setObjectName(QStringLiteral("canvasNote"));
    note_->setMargin(6);
    note_->setAutoFillBackground(true);
    note_->hide();
    legend_->hide();
    connect(minimap_, &Minimap::placeChosen, this, [this](QPointF centre) { centerOn(centre); });
}

void GraphView::showGraph(std::shared_ptr<const DrawnGraph> graph, std::shared_ptr<const GraphLayout> layout,
                          Camera camera, const QString& anchor) {
    const NodeId chosen = selectedNode_;
    // A picture that fits now and did not before is better shown as a whole.
    const QSizeF window = QSizeF(viewport()->size()) / transform().m11();
    const auto fits = [&](const QSizeF& size) {
        return size.width() <= window.width() && size.height() <= window.height();
    };
    const bool stay = camera != Camera::fit && state_.layout &&
                      (camera >= Camera::hold || !anchor.isEmpty() || !fits(layout->bounds.size()) ||
                       fits(state_.layout->bounds.size()));
    const Landmark mark = !stay ? Landmark() : camera == Camera::zoomed ? zoomedLandmark(anchor) : landmark(anchor);
    if (camera == Camera::zoomed) fade_.start(picture_.last());
    state_.graph = std::move(graph);
    state_.layout = std::move(layout);
    painter_.setPicture(state_.graph, state_.layout);
    state_.selected = -1;
    state_.alsoSelected.clear();
    state_.hits.clear();
    findCurrent();
    scene_.setSceneRect(state_.layout->bounds);
    refreshOverlays();
    setNote(state_.layout->note.isEmpty() ? state_.graph->note : state_.layout->note);
    if (camera == Camera::all) fitAll();
    else if (placeOf(mark).isNull()) start();
    else jump([&] { mark.seenIn.isNull() ? hold(mark) : holdSize(mark); });
    selectedNode_ = kNoNode;
    if (chosen != kNoNode) {
        selectedNode_ = chosen;
        this->mark(boxOf(chosen), camera == Camera::fit);
    }
    repaintPicture();
}

/// Moves a place of the picture to a place in the window.
void GraphView::moveTo(QPointF place, QPointF seenAt) {
    // The scene grows if the window has to look beyond the picture.
    const QPointF middle = place - (seenAt - QRectF(viewport()->rect()).center()) / transform().m11();
    QRectF view(QPointF(), QSizeF(viewport()->size()) / transform().m11());
    view.moveCenter(middle);
    scene_.setSceneRect(state_.layout->bounds | view);
    centerOn(middle);
    // Qt drops fractions of pixels: the view would drift from picture to picture.
    const QPointF off = viewportTransform().map(place) - seenAt;
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() + qRound(off.x()));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + qRound(off.y()));
}

void GraphView::renumber(const std::function<NodeId(NodeId)>& idThere) {
    if (selectedNode_ != kNoNode) selectedNode_ = idThere(selectedNode_);
    if (!state_.graph) return;
    auto renumbered = std::make_shared<DrawnGraph>(*state_.graph);
    renumbered->indexOf.clear();
    renumbered->attachedTo.clear();
    for (DrawnNode& node : renumbered->nodes)
        if (node.id != kNoNode) node.id = idThere(node.id);
    state_.graph = std::move(renumbered);
}

void GraphView::restyle(std::shared_ptr<const DrawnGraph> graph) {
    if (!state_.graph || graph->nodes.size() != state_.graph->nodes.size()) return;
    state_.graph = std::move(graph);
    painter_.setPicture(state_.graph, state_.layout);
    refreshOverlays();
    placeOverlays();
    repaintPicture();
}

void GraphView::showMessage(const QString& text) {
    state_.graph.reset();
    state_.layout.reset();
    painter_.setPicture(nullptr, nullptr);
    state_.selected = -1;
    selectedNode_ = kNoNode;
    state_.alsoSelected.clear();
    state_.hits.clear();
    findCurrent();
    scene_.setSceneRect({});
    refreshOverlays();
    setNote(text);
    repaintPicture();
}

void GraphView::setNote(const QString& text) {
    note_->setText(text);
    note_->setVisible(!text.isEmpty());
    note_->adjustSize();
    placeOverlays();
}

void GraphView::select(NodeId id) {
    if (!state_.graph) return;
    // A group selected here is not a node that others could know.
    const bool groupChosen =
        state_.selected >= 0 && state_.graph->nodes[static_cast<Index>(state_.selected)].group >= 0;
    if (id == kNoNode && groupChosen && selectedNode_ == kNoNode) return;
    selectedNode_ = id;
    mark(boxOf(id), true);
}

NodeId GraphView::selectedNode() const {
    if (state_.selected < 0) return kNoNode;
    const DrawnNode& node = state_.graph->nodes[static_cast<Index>(state_.selected)];
    return node.group >= 0 ? selectedNode_ : node.id;
}

int GraphView::selectedGroup() const {
    if (state_.selected < 0 || !state_.graph->groups) return -1;
    const DrawnNode& node = state_.graph->nodes[static_cast<Index>(state_.selected)];
    const int group = node.group >= 0 ? node.group : node.frame >= 0 ? node.frame : node.innermost();
    return group > 0 ? group : -1;
}

void GraphView::setAlsoSelected(const std::vector<NodeId>& ids) {
    state_.alsoSelected = boxesOf(ids);
    repaintPicture();
}

void GraphView::setHits(const std::vector<NodeId>& ids) {
    const bool explained = !state_.hits.empty();
    state_.hits = boxesOf(ids);
    if (explained == state_.hits.empty()) legend_->refresh();
    repaintPicture();
}

std::set<int> GraphView::boxesOf(const std::vector<NodeId>& ids) const {
    std::set<int> boxes;
    for (const NodeId id : ids)
        if (const int box = state_.graph ? boxOf(id) : -1; box >= 0) boxes.insert(box);
    return boxes;
}

int GraphView::boxOf(NodeId id) const {
    const DrawnGraph& graph = *state_.graph;
    if (const auto it = graph.indexOf.find(id); it != graph.indexOf.end()) return it->second;
    // A parameter is a line in the boxes that use it.
    const auto user = graph.attachedTo.find(id);
    return user == graph.attachedTo.end() ? -1 : user->second;
}

void GraphView::setTheme(const Theme& theme) {
    state_.options.theme = theme;
    refreshOverlays();
    repaintPicture();
}

void GraphView::setColourBy(ColourBy colourBy) {
    state_.options.colourBy = colourBy;
    refreshOverlays();
    repaintPicture();
}

/// What was fitted to the window is fitted again.
void GraphView::resizeEvent(QResizeEvent* event) {
    const bool outermost = !std::exchange(placing_, true);
    QGraphicsView::resizeEvent(event);
    placeOverlays();
    if (!outermost) return;
    placing_ = false;
    fitAgain();
}

/// Text of another size: the zoom in percent stays.
void GraphView::changeEvent(QEvent* event) {
    QGraphicsView::changeEvent(event);
    if (event->type() != QEvent::FontChange) return;
    const double before = std::exchange(usual_, usualZoom());
    if (before == usual_) return;
    if (fitted_ != Fitted::no) fitAgain();
    else if (state_.layout) zoomTo(zoom() * usual_ / before, QRectF(viewport()->rect()).center());
}

void GraphView::scrollContentsBy(int dx, int dy) {
    QGraphicsView::scrollContentsBy(dx, dy);
    if (!placing_) fitted_ = Fitted::no;
    followCamera();
}

void GraphView::refreshOverlays() {
    painter_.forgetColours();
    legend_->refresh();
    minimap_->refresh();
}

void GraphView::drawBackground(QPainter* painter, const QRectF& /*rect*/) {
    const QTransform camera = viewportTransform();
    const auto paint = [&](QPainter& onImage, const QRectF& part, bool rough) {
        onImage.fillRect(part, state_.options.theme.background);
        onImage.setTransform(camera);
        painter_.paint(onImage, camera.inverted().mapRect(part), mapToScene(viewport()->rect()).boundingRect(), state_,
                       camera.m11(), rough);
    };
    painter->resetTransform();
    painter->drawImage(0, 0, picture_.frame(camera, viewport()->size(), devicePixelRatioF(), paint));
    fade_.paint(*painter);
}

/// For every change except of the camera.
void GraphView::repaintPicture() {
    picture_.forget();
    viewport()->update();
}

void GraphView::choose(int index, bool bringIntoView) {
    index = valueOf(index);
    selectedNode_ = index < 0 ? kNoNode : state_.graph->nodes[static_cast<Index>(index)].id;
    mark(index, bringIntoView);
    Q_EMIT nodeSelected(selectedNode_);
}

/// A box of the graph's outputs stands for the value that it returns.
int GraphView::valueOf(int index) const {
    if (index < 0) return index;
    const DrawnNode& node = state_.graph->nodes[static_cast<Index>(index)];
    if (node.id != kNoNode || node.group >= 0) return index;
    for (const auto& edge : state_.graph->edges)
        if (edge.to == index) return edge.from;
    return -1;
}

void GraphView::mark(int index, bool bringIntoView) {
    if (index == state_.selected) return;
    state_.selected = index;
    repaintPicture();
    if (index >= 0 && bringIntoView) this->bringIntoView(index);
}

void GraphView::bringIntoView(int index) {
    ensureVisible(state_.layout->boxes[static_cast<Index>(index)].adjusted(-30, -12, 30, 8), 80, 80);
}

void GraphView::bringNodeIntoView(NodeId id) {
    if (const int box = state_.graph ? boxOf(id) : -1; box >= 0) bringIntoView(box);
}

void GraphView::setCurrent(NodeId id, bool bringIntoView) {
    currentNode_ = id;
    findCurrent();
    legend_->refresh();
    if (state_.current >= 0 && bringIntoView) this->bringIntoView(state_.current);
    repaintPicture();
}

void GraphView::findCurrent() { state_.current = state_.graph && currentNode_ != kNoNode ? boxOf(currentNode_) : -1; }

void GraphView::placeOverlays() {
    constexpr int margin = 12;
    note_->move(margin, margin);
    followCamera();
}

}  // namespace aotscope
