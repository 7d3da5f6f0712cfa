// The canvas: showing, clicking, keyboard navigation, zooming; and the legend below it.

#include "canvas/graph_view.h"
#include "canvas/layout_job.h"
#include "support/patience.h"
#include "views/drawings.h"

#include <QHelpEvent>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolTip>
#include <QtTest>

#include <set>

using namespace aotscope;
using namespace aotscope::test;

namespace {

std::shared_ptr<const DrawnGraph> share(DrawnGraph graph) {
    return std::make_shared<const DrawnGraph>(std::move(graph));
}

/// A shown canvas with a picture on it, and the signals that it has emitted.
struct Canvas {
    explicit Canvas(DrawnGraph drawn) : spy(&view, &GraphView::nodeSelected) {
        view.resize(900, 700);
        view.show();
        show(share(std::move(drawn)));
    }
    void show(const std::shared_ptr<const DrawnGraph>& drawn) {
        view.showGraph(drawn, std::make_shared<const GraphLayout>(layoutNow(*drawn)));
    }
    const DrawnGraph& graph() const { return *view.graph(); }
    QPoint placeOf(int node) const {
        return view.mapFromScene(view.layout()->boxes[static_cast<std::size_t>(node)].center());
    }
    void click(QPoint place) { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, place); }
    NodeId idOf(const char* name) const { return nodeNamed(graph(), name).id; }
    /// The node selected by the last key or click; -2 if nothing was emitted.
    NodeId taken() {
        const NodeId id = spy.isEmpty() ? -2 : spy.last().first().toInt();
        spy.clear();
        return id;
    }
    NodeId key(int key) {
        QTest::keyClick(&view, static_cast<Qt::Key>(key));
        return taken();
    }
    bool shows(const QColor& colour) {
        const QImage image = view.grab().toImage();
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y) == colour) return true;
        return false;
    }
    GraphView view;
    QSignalSpy spy;
};

/// The box of the forward half of a closed group.
int groupBox(const DrawnGraph& graph, const char* key) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i].group >= 0 && graph.nodes[i].name == QString::fromUtf8(key)) return static_cast<int>(i);
    return -1;
}

/// A pattern that changes with the position in the picture, painted pixel by pixel: moving a frame shows in it.
void paintPattern(QPainter& painter, const QRectF& part, const QTransform& camera) {
    const QRectF seen = camera.inverted().mapRect(part);
    painter.setTransform(camera);
    for (int y = int(std::floor(seen.top() / 8)); y <= int(seen.bottom() / 8); ++y)
        for (int x = int(std::floor(seen.left() / 8)); x <= int(seen.right() / 8); ++x)
            painter.fillRect(QRectF(8 * x, 8 * y, 8, 8),
                             QColor::fromHsv(((x * 31 + y * 57) % 360 + 360) % 360, 200, 200));
}

/// A backing picture of the pattern, and the parts that it had to paint.
struct Backing {
    const QImage& frame(const QTransform& camera, QSize window = {200, 160}, qreal ratio = 1) {
        painted = 0;
        return picture.frame(camera, window, ratio, [&](QPainter& painter, const QRectF& part) {
            painted += part.width() * part.height();
            paintPattern(painter, part, camera);
        });
    }
    static QImage whole(const QTransform& camera, qreal ratio = 1) {
        return Backing().frame(camera, {200, 160}, ratio);
    }
    BackingPicture picture;
    double painted = 0;
};

double differingShare(const QImage& a, const QImage& b) {
    double pixels = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) pixels += a.pixel(x, y) != b.pixel(x, y);
    return pixels / a.width() / a.height();
}

QImage shown(GraphView& view) { return view.viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32); }

/// Painted again by the same painter: subpixel positions of letters depend on what it has drawn before.
bool isAsPaintedAnew(GraphView& view, const QImage& image) {
    view.setTheme(view.paintOptions().theme);
    return image == shown(view);
}

/// Waits until nothing moves any more, scroll bars included.
bool restsAsPaintedAnew(GraphView& view) {
    QImage image = shown(view);
    const auto rests = [&] {
        if (view.picture().isWhole()) image = shown(view);
        return view.picture().isWhole();
    };
    return QTest::qWaitFor(rests, kPatience) && isAsPaintedAnew(view, image);
}

double paintedShare(const GraphView& view) {
    double pixels = 0;
    for (const QRect& part : view.picture().painted()) pixels += double(part.width()) * part.height();
    return pixels / view.viewport()->width() / view.viewport()->height();
}

const QLabel* noteOf(const GraphView& view) { return view.findChild<QLabel*>(QStringLiteral("canvasNote")); }

}  // namespace

class TestGraphView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsEveryBox_data() {
        QTest::addColumn<QString>("sample");
        for (const char* sample : {"sincos", "mlp", "resnet18", "gpt2-tiny"}) QTest::newRow(sample) << sample;
    }
    void showsEveryBox() {
        QFETCH(QString, sample);
        Canvas canvas(drawSample(sample.toStdString()));
        QCOMPARE(canvas.view.nodeItemCount(), canvas.graph().nodes.size());
        canvas.view.fitAll();
        const QImage image = canvas.view.grab().toImage();
        for (std::size_t i = 0; i < canvas.graph().nodes.size(); ++i) {
            const QRect place = canvas.view.mapFromScene(canvas.view.layout()->boxes[i]).boundingRect();
            bool painted = false;
            for (int y = place.top(); y <= place.bottom(); ++y)
                for (int x = place.left(); x <= place.right(); ++x)
                    painted = painted || image.pixelColor(x, y) != canvas.view.paintOptions().theme.background;
            QVERIFY2(painted, qPrintable(canvas.graph().nodes[i].name));
        }
        QVERIFY(canvas.view.sceneRect().contains(canvas.view.layout()->bounds));
        QVERIFY(canvas.spy.isEmpty());
    }

    void aClickChoosesTheBoxUnderIt() {
        Canvas canvas(drawText(kTwoLayers));
        canvas.view.fitAll();
        for (int i = 0; i < static_cast<int>(canvas.graph().nodes.size()); ++i) {
            const DrawnNode& node = canvas.graph().nodes[static_cast<std::size_t>(i)];
            if (node.kind == DrawnNode::Kind::output) continue;
            canvas.click(canvas.placeOf(i));
            QCOMPARE(canvas.taken(), node.id);
        }
    }

    void aClickOnNothingClears() {
        Canvas canvas(drawText(kTwoLayers));
        canvas.view.fitAll();
        canvas.click(canvas.placeOf(0));
        canvas.taken();
        canvas.click(canvas.view.mapFromScene(canvas.view.layout()->bounds.topLeft() + QPointF(3, 3)));
        QCOMPARE(canvas.taken(), kNoNode);
        canvas.click(canvas.placeOf(0));
        canvas.taken();
        QCOMPARE(canvas.key(Qt::Key_Escape), kNoNode);
    }

    void draggingChoosesNothing() {
        Canvas canvas(drawText(kTwoLayers));
        canvas.view.fitAll();
        const QPoint place = canvas.placeOf(0);
        QTest::mousePress(canvas.view.viewport(), Qt::LeftButton, {}, place);
        QTest::mouseMove(canvas.view.viewport(), place + QPoint(0, 60));
        QTest::mouseRelease(canvas.view.viewport(), Qt::LeftButton, {}, place + QPoint(0, 60));
        QVERIFY(canvas.spy.isEmpty());
    }

    void selectingFromOutsideDoesNotEmit() {
        Canvas canvas(drawText(kTwoLayers));
        const QColor mark = canvas.view.paintOptions().theme.selection;
        QVERIFY(!canvas.shows(mark));
        canvas.view.select(canvas.idOf("relu"));
        QVERIFY(canvas.shows(mark));
        canvas.view.select(kNoNode);
        QVERIFY(!canvas.shows(mark));
        canvas.view.select(4711);  // in no box: as none
        QVERIFY(!canvas.shows(mark));
        QVERIFY(canvas.spy.isEmpty());
    }

    void selectingBringsIntoView() {
        Canvas canvas(drawSample("gpt2-tiny"));
        canvas.view.resetZoom();
        for (const std::size_t i : {canvas.graph().nodes.size() - 2, std::size_t{3}}) {
            const DrawnNode& node = canvas.graph().nodes[i];
            canvas.view.select(node.id);
            QVERIFY(canvas.view.viewport()->rect().contains(canvas.placeOf(static_cast<int>(i))));
        }
    }

    void selectingAnElementMarksItsTuple() {
        Canvas canvas(drawText(kTuple, GraphKind::functional));
        canvas.view.select(5);
        QVERIFY(canvas.shows(canvas.view.paintOptions().theme.selection));
    }

    void arrowKeysWalkAlongEdges() {
        Canvas canvas(drawText(kTwoLayers));
        QCOMPARE(canvas.key(Qt::Key_Down), canvas.idOf("x"));  // without a selection: where it begins
        QCOMPARE(canvas.key(Qt::Key_Down), canvas.idOf("addmm"));
        QCOMPARE(canvas.key(Qt::Key_Down), canvas.idOf("relu"));
        QCOMPARE(canvas.key(Qt::Key_Up), canvas.idOf("addmm"));
        canvas.view.select(canvas.idOf("relu"));
        QCOMPARE(canvas.key(Qt::Key_Right), canvas.idOf("back"));  // along the rung
        QCOMPARE(canvas.key(Qt::Key_Left), canvas.idOf("relu"));
        canvas.view.select(canvas.idOf("back"));
        QCOMPARE(canvas.key(Qt::Key_Up), canvas.idOf("mm"));
    }

    void arrowKeysKeepASelection() {
        Canvas canvas(drawText(kTwoLayers));
        for (const auto& node : canvas.graph().nodes) {
            if (node.id == kNoNode) continue;
            for (const int key : {Qt::Key_Up, Qt::Key_Down, Qt::Key_Left, Qt::Key_Right}) {
                canvas.view.select(node.id);
                QVERIFY2(canvas.key(key) != kNoNode, qPrintable(node.name));
            }
        }
    }

    void theSelectionStaysWithTheNextPicture() {
        Canvas canvas(drawText(kTwoLayers));
        canvas.view.select(canvas.idOf("addmm"));
        canvas.show(share(drawText(kTwoLayers, GraphKind::functional)));
        QCOMPARE(canvas.key(Qt::Key_Down), canvas.idOf("relu"));
        canvas.show(share(drawText(chainText(3), GraphKind::functional)));
        QCOMPARE(canvas.view.nodeItemCount(), std::size_t{5});
    }

    void aClickOnAStubJumpsToTheOtherEnd() {
        Canvas canvas(drawText(chainText(60), GraphKind::functional));
        canvas.view.resetZoom();
        int stubs = 0;
        for (std::size_t e = 0; e < canvas.graph().edges.size() && stubs < 3; ++e) {
            const EdgeShape& shape = canvas.view.layout()->edges[e];
            if (!shape.stub) continue;
            ++stubs;
            const DrawnEdge& edge = canvas.graph().edges[e];
            const QPointF tip = stubEnd(edge, shape, false).tip;
            canvas.view.centerOn(tip);
            canvas.click(canvas.view.mapFromScene(tip - QPointF(6, 0)));
            QCOMPARE(canvas.taken(), canvas.graph().nodes[static_cast<std::size_t>(edge.from)].id);
        }
        QCOMPARE(stubs, 3);
    }

    // --- groups ---

    void aDoubleClickOpensAndClosesAGroup() {
        const auto whole = withGroups(drawSample("gpt2-tiny"));
        Canvas canvas(*visibleGraph(whole, collapsedTo(*whole->groups, 1)));
        canvas.view.fitAll();
        QSignalSpy toggles(&canvas.view, &GraphView::groupToggled);
        const int box = groupBox(canvas.graph(), "blocks");
        QTest::mouseDClick(canvas.view.viewport(), Qt::LeftButton, {}, canvas.placeOf(box));
        QCOMPARE(toggles.count(), 1);
        QCOMPARE(toggles.last(), (QVariantList{canvas.graph().nodes[static_cast<std::size_t>(box)].group, true}));
        canvas.show(whole);
        canvas.view.resetZoom();
        const GroupFrame& frame = canvas.view.layout()->frames.front();
        canvas.view.centerOn(frame.rect.topLeft());
        QTest::mouseDClick(canvas.view.viewport(), Qt::LeftButton, {},
                           canvas.view.mapFromScene(frame.rect.topLeft() + QPointF(30, 8)));
        QCOMPARE(toggles.count(), 2);
        QCOMPARE(toggles.last(), (QVariantList{frame.group, false}));
    }

    void keysOpenAndCloseGroups() {
        const auto whole = withGroups(drawSample("gpt2-tiny"));
        Canvas canvas(*visibleGraph(whole, collapsedTo(*whole->groups, 2)));
        canvas.view.fitAll();
        QSignalSpy toggles(&canvas.view, &GraphView::groupToggled);
        const int box = groupBox(canvas.graph(), "blocks.1");
        const int group = canvas.graph().nodes[static_cast<std::size_t>(box)].group;
        canvas.click(canvas.placeOf(box));
        QCOMPARE(canvas.taken(), kNoNode);  // a group is no node
        QCOMPARE(canvas.view.selectedGroup(), group);
        canvas.view.select(kNoNode);  // as whoever follows the selection does
        QCOMPARE(canvas.view.selectedGroup(), group);
        for (const int key : {Qt::Key_Return, Qt::Key_Plus}) {
            canvas.key(key);
            QCOMPARE(toggles.takeLast(), (QVariantList{group, true}));
        }
        canvas.key(Qt::Key_Minus);  // closes the one around it
        QCOMPARE(toggles.takeLast(), (QVariantList{(*whole->groups)[group].parent, false}));
        canvas.show(whole);
        canvas.view.select(nodeNamed(*whole, "addmm").id);
        canvas.key(Qt::Key_Minus);
        QCOMPARE(toggles.takeLast(), (QVariantList{nodeNamed(*whole, "addmm").within, false}));
    }

    void theVisiblePartStaysInPlace() {
        const auto whole = withGroups(drawSample("gpt2-tiny"));
        const ViewState closed = collapsedTo(*whole->groups, 2);
        Canvas canvas(*visibleGraph(whole, closed));
        canvas.view.resetZoom();
        const auto place = [&](const char* key) {
            for (const auto& frame : canvas.view.layout()->frames)
                if ((*whole->groups)[frame.group].key == QString::fromUtf8(key) && !frame.backward)
                    return canvas.view.mapFromScene(QPointF(frame.rect.center().x(), frame.rect.top()));
            const QRectF box = canvas.view.layout()->boxes[static_cast<std::size_t>(groupBox(canvas.graph(), key))];
            return canvas.view.mapFromScene(QPointF(box.center().x(), box.top()));
        };
        for (const char* key : {"blocks.0", "blocks.1"}) {
            canvas.view.centerOn(
                canvas.view.layout()->boxes[static_cast<std::size_t>(groupBox(canvas.graph(), key))].center());
            const QPoint before = place(key);
            const auto open = visibleGraph(
                whole, toggled(*whole->groups, closed, whole->groups->byKey(QString::fromUtf8(key)), true));
            canvas.view.showGraph(open, std::make_shared<const GraphLayout>(layoutNow(*open)), GraphView::Camera::keep,
                                  QString::fromUtf8(key));
            QVERIFY2((place(key) - before).manhattanLength() <= 3, key);
            canvas.show(visibleGraph(whole, closed));
        }
    }

    void aNodeInAClosedGroupMarksItsBox() {
        const auto whole = withGroups(drawSample("gpt2-tiny"));
        Canvas canvas(*visibleGraph(whole, collapsedTo(*whole->groups, 1)));
        const DrawnNode& addmm = nodeNamed(*whole, "addmm");
        canvas.view.select(addmm.id);
        QCOMPARE(canvas.view.selectedNode(), addmm.id);
        QCOMPARE(canvas.view.selectedGroup(), whole->groups->byKey(QStringLiteral("blocks")));
        canvas.show(whole);
        QCOMPARE(canvas.view.selectedNode(), addmm.id);
        QCOMPARE(canvas.view.selectedGroup(), addmm.within);
    }

    void theMinimapMovesTheView() {
        Canvas canvas(drawSample("gpt2-tiny"));
        auto* map = canvas.view.findChild<Minimap*>(QStringLiteral("minimap"));
        canvas.view.resetZoom();
        QVERIFY(map && map->isVisible());
        QVERIFY(canvas.view.viewport()->geometry().contains(map->geometry()));
        QTest::mouseClick(map, Qt::LeftButton, {}, QPoint(map->width() / 2, map->height() - 6));
        const double low = canvas.view.position().centre.y();
        QTest::mouseClick(map, Qt::LeftButton, {}, QPoint(map->width() / 2, 6));
        QVERIFY(low - canvas.view.position().centre.y() > canvas.view.layout()->bounds.height() / 2);
        canvas.view.fitAll();
        QTRY_VERIFY_WITH_TIMEOUT(!map->isVisible(), kPatience);  // all of it is in view
        canvas.view.resetZoom();
        canvas.view.showMinimap(false);
        QVERIFY(!map->isVisible());
    }

    void tooltipsSayWhatABoxIs() {
        Canvas canvas(drawText(kTwoLayers));
        canvas.view.fitAll();
        const QPoint place = canvas.placeOf(boxNamed(canvas.graph(), "relu"));
        QHelpEvent event(QEvent::ToolTip, place, canvas.view.viewport()->mapToGlobal(place));
        QCoreApplication::sendEvent(canvas.view.viewport(), &event);
        QVERIFY(QToolTip::text().startsWith(QStringLiteral("%relu")));
        QToolTip::hideText();
    }

    // --- zoom ---

    void zooms() {
        Canvas canvas(drawText(kTwoLayers));
        const auto zoom = [&] { return canvas.view.transform().m11(); };
        canvas.view.resetZoom();
        QCOMPARE(zoom(), 1.0);
        canvas.view.zoomBy(2);
        QCOMPARE(zoom(), 2.0);
        for (int i = 0; i < 40; ++i) canvas.view.zoomBy(2);
        QCOMPARE(zoom(), 6.0);
        for (int i = 0; i < 40; ++i) canvas.view.zoomBy(0.5);
        QCOMPARE(zoom(), 0.02);
        canvas.view.resetZoom();
        canvas.key(Qt::Key_Plus);
        QCOMPARE(zoom(), 1.25);
        canvas.key(Qt::Key_Minus);
        QCOMPARE(zoom(), 1.0);
        QCOMPARE(canvas.view.transform().m22(), zoom());
    }

    void zoomingStaysWhereItIs() {
        Canvas canvas(drawSample("gpt2-tiny"));
        GraphView& view = canvas.view;
        view.goTo({view.layout()->bounds.center(), 1});
        for (const double factor : {1.25, 0.8, 0.5}) {  // wherever the pointer is, and though it has not moved yet
            const QPointF before = view.position().centre;
            view.zoomBy(factor);
            const QPointF moved = (view.position().centre - before) * view.position().zoom;
            QVERIFY(std::abs(moved.x()) <= view.width() / 2 && std::abs(moved.y()) <= view.height() / 2);
        }
    }

    void theWheelZoomsWithCtrlOnly() {
        Canvas canvas(drawText(kTwoLayers));
        canvas.view.resetZoom();
        for (const auto& [modifiers, zoom] : {std::pair{Qt::NoModifier, 1.0}, std::pair{Qt::ControlModifier, 1.25}}) {
            QWheelEvent event(QPointF(100, 100), canvas.view.viewport()->mapToGlobal(QPointF(100, 100)), {}, {0, 120},
                              Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(canvas.view.viewport(), &event);
            QCOMPARE(canvas.view.transform().m11(), zoom);
        }
    }

    void fits() {
        Canvas canvas(drawSample("mlp"));
        canvas.view.resetZoom();
        canvas.view.fitAll();
        const QRectF bounds = canvas.view.layout()->bounds;
        // Scroll bars go with the next layout of the widget.
        const auto onScreen = [&] { return canvas.view.mapFromScene(bounds).boundingRect(); };
        QTRY_VERIFY_WITH_TIMEOUT(canvas.view.viewport()->rect().adjusted(-2, -2, 2, 2).contains(onScreen()), kPatience);
        canvas.view.fitWidth();
        QVERIFY(canvas.view.transform().m11() <= 1);
        canvas.view.select(canvas.idOf("relu"));
        canvas.view.centreOnSelection();
        QVERIFY(canvas.view.viewport()->rect().contains(canvas.placeOf(boxNamed(canvas.graph(), "relu"))));
    }

    // --- reuse of the last frame ---

    void aShiftedPictureIsPaintedAtItsEdgesOnly() {
        Backing backing;
        backing.frame({});
        QCOMPARE(backing.painted, 200.0 * 160);
        backing.frame({});
        QCOMPARE(backing.painted, 0.0);
        for (const auto& [x, y, painted] : {std::tuple{0, -10, 200 * 10}, std::tuple{0, 30, 200 * 40},
                                            std::tuple{-7, 30, 7 * 160}, std::tuple{13, 24, 20 * 160 + 180 * 6}}) {
            const QTransform camera = QTransform::fromTranslate(x, y);
            const QImage image = backing.frame(camera);
            QCOMPARE(backing.painted, double(painted));
            QVERIFY(!backing.picture.isWhole());
            QCOMPARE(image, Backing::whole(camera));
        }
    }

    void aPictureIsShiftedByWholePixelsOfTheScreen() {
        for (const double ratio : {1.25, 2.0}) {
            Backing backing;
            backing.frame({}, {200, 160}, ratio);
            const QTransform camera = QTransform::fromTranslate(0, -8);
            const QImage image = backing.frame(camera, {200, 160}, ratio);
            QCOMPARE(backing.painted, 200.0 * 8);
            QCOMPARE(image, Backing::whole(camera, ratio));
        }
    }

    void aScaledPictureIsPaintedAroundItsEdges() {
        Backing backing;
        backing.frame({});
        backing.frame(QTransform(1.25, 0, 0, 1.25, -25, -20));
        QCOMPARE(backing.painted, 0.0);
        QVERIFY(!backing.picture.isWhole());
        backing.frame({});
        QVERIFY(backing.painted > 0.3 * 200 * 160 && backing.painted < 0.4 * 200 * 160);
        backing.picture.forget();
        QCOMPARE(backing.frame({}), Backing::whole({}));
        QVERIFY(backing.picture.isWhole());
    }

    void farFromTheLastFrameAllIsPainted() {
        Backing backing;
        for (const QTransform& camera :
             {QTransform(), QTransform::fromTranslate(0, -150), QTransform::fromScale(0.5, 0.5), QTransform()}) {
            const QImage image = backing.frame(camera);
            if (camera.m11() < 1 || camera.dy() < 0) {
                QCOMPARE(backing.painted, 200.0 * 160);
                QVERIFY(backing.picture.isWhole());
                QCOMPARE(image, Backing::whole(camera));
            }
        }
        backing.frame({}, {300, 160});
        QCOMPARE(backing.painted, 300.0 * 160);
        backing.frame({}, {300, 160}, 2);
        QCOMPARE(backing.painted, 300.0 * 160);
    }

    void aMovedCanvasIsPaintedAtItsEdgesAndAtRestAsAWhole() {
        Canvas canvas(*withGroups(drawSample("gpt2-tiny")));
        GraphView& view = canvas.view;
        for (const double scale : {2.0, 1.0, 0.6, 0.4, 0.2}) {
            view.goTo({view.layout()->boxes[view.layout()->boxes.size() / 3].center(), scale});
            QVERIFY(isAsPaintedAnew(view, shown(view)));
            QVERIFY(view.picture().isWhole());
            for (QScrollBar* bar : {view.verticalScrollBar(), view.horizontalScrollBar()}) {
                if (bar->value() + 37 > bar->maximum()) continue;
                bar->setValue(bar->value() + 37);
                const QImage moved = shown(view);
                QVERIFY(!view.picture().isWhole());
                QVERIFY(paintedShare(view) < 0.06);
                QVERIFY(restsAsPaintedAnew(view));
                QVERIFY(differingShare(moved, shown(view)) < 0.002);
            }
            for (const double factor : {1.1, 0.8}) {
                const QSize size = view.viewport()->size();
                view.zoomBy(factor);
                shown(view);
                if (view.viewport()->size() == size) {  // no scroll bar came or went
                    QVERIFY(!view.picture().isWhole());
                    QVERIFY(paintedShare(view) < 0.4);
                }
                QVERIFY(restsAsPaintedAnew(view));
            }
        }
    }

    void theFirstFrameOfATurnedWheelIsCheap() {
        Canvas canvas(*withGroups(drawSample("gpt2-tiny")));
        GraphView& view = canvas.view;
        view.resetZoom();
        QTRY_VERIFY_WITH_TIMEOUT(view.picture().isWhole(), kPatience);
        const QPointF place = QRectF(view.viewport()->rect()).center();
        QWheelEvent event(place, view.viewport()->mapToGlobal(place), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(view.viewport(), &event);
        QCoreApplication::sendPostedEvents();
        QVERIFY(!view.picture().isWhole());
        QVERIFY(paintedShare(view) < 0.3);
    }

    void changesOfThePictureAreSeenAtOnce() {
        Canvas canvas(drawText(kTwoLayers));
        GraphView& view = canvas.view;
        QImage last = shown(view);
        const auto changes = [&](const auto& change) {
            change();
            const QImage now = shown(view);
            return view.picture().isWhole() && std::exchange(last, now) != now;
        };
        QVERIFY(changes([&] { view.select(canvas.idOf("relu")); }));
        QVERIFY(changes([&] { view.setAlsoSelected({canvas.idOf("mm")}); }));
        QVERIFY(changes([&] { view.setHits({canvas.idOf("mm"), canvas.idOf("sin")}); }));
        QVERIFY(changes([&] { view.setHits({}); }));
        QVERIFY(changes([&] { view.setColourBy(ColourBy::family); }));
        QVERIFY(changes([&] { view.setTheme(Theme::dark()); }));
        QVERIFY(changes([&] { view.resize(800, 720); }));
        QVERIFY(changes([&] {
            DrawnGraph restyled = canvas.graph();
            for (auto& node : restyled.nodes) node.saved = !node.saved;
            view.restyle(share(std::move(restyled)));
        }));
        QVERIFY(changes([&] { canvas.show(share(drawText(kTuple, GraphKind::functional))); }));
        QVERIFY(changes([&] { view.showMessage(QStringLiteral("gone")); }));
    }

    // --- messages, themes ---

    void aMessageClearsThePicture() {
        Canvas canvas(drawText(kTwoLayers));
        canvas.view.select(canvas.idOf("relu"));
        canvas.view.showMessage(QStringLiteral("nothing to see"));
        QCOMPARE(canvas.view.nodeItemCount(), std::size_t{0});
        QVERIFY(!canvas.view.graph() && !canvas.view.layout());
        QVERIFY(noteOf(canvas.view)->isVisible());
        QCOMPARE(noteOf(canvas.view)->text(), QStringLiteral("nothing to see"));
        QVERIFY(!canvas.shows(Theme::light().colours({}, ColourBy::stage).fill));
        // None of these has anything to act on.
        canvas.view.select(3);
        canvas.view.fitAll();
        canvas.view.fitWidth();
        canvas.view.centreOnSelection();
        for (const int key : {Qt::Key_Down, Qt::Key_Plus, Qt::Key_Minus}) canvas.key(key);
        canvas.click({50, 50});
        canvas.show(share(drawText(kTuple, GraphKind::functional)));
        QVERIFY(!noteOf(canvas.view)->isVisible());
        QVERIFY(canvas.view.nodeItemCount() > 0);
    }

    void aNoteOfTheLayoutIsShown() {
        Canvas canvas(drawText(kTwoLayers));
        QVERIFY(!noteOf(canvas.view)->isVisible());
        const auto drawn = share(drawText(kTwoLayers));
        canvas.view.showGraph(drawn, std::make_shared<const GraphLayout>(
                                         simpleLayout(*drawn, planLayout(*drawn), QStringLiteral("simple layout"))));
        QVERIFY(noteOf(canvas.view)->isVisible());
        QCOMPARE(noteOf(canvas.view)->text(), QStringLiteral("simple layout"));
        canvas.view.setNote({});
        QVERIFY(!noteOf(canvas.view)->isVisible());
    }

    void anEmptyGraphIsShown() {
        Canvas canvas(drawText("graph empty\n  return []\n"));
        QCOMPARE(canvas.view.nodeItemCount(), std::size_t{0});
        canvas.view.fitAll();
        QCOMPARE(canvas.key(Qt::Key_Down), -2);
    }

    void themesAndColoursAreFollowed() {
        Canvas canvas(drawText(kTwoLayers));
        const QColor forward = Theme::light().colours({}, ColourBy::stage).fill;
        QVERIFY(canvas.shows(Theme::light().background) && canvas.shows(forward));
        canvas.view.setColourBy(ColourBy::family);
        QVERIFY(!canvas.shows(forward));
        canvas.view.setTheme(Theme::dark());
        QVERIFY(canvas.shows(Theme::dark().background) && !canvas.shows(Theme::light().background));
    }

    // --- legend ---

    void theLegendIsAsHighAsItsLines() {
        CanvasState state;
        QWidget parent;
        Legend legend(state, &parent);
        legend.refresh();
        QCOMPARE(legend.heightForWidth(800), 0);
        state.graph = share(drawSample("mlp"));
        legend.refresh();
        const int oneLine = legend.heightForWidth(4000);
        const auto entries = static_cast<int>(Theme::light().legend(*state.graph, ColourBy::stage).size());
        QVERIFY(oneLine > 0);
        QCOMPARE(legend.heightForWidth(1), entries * oneLine);
        for (int width = 10; width < 1000; width += 10)
            QVERIFY(legend.heightForWidth(width) >= legend.heightForWidth(width + 10));
    }

    void hitsHaveAColourOfTheirOwn() {
        Canvas canvas(drawText(kTwoLayers));
        canvas.view.fitAll();
        const Theme& theme = canvas.view.paintOptions().theme;
        const auto* legend = canvas.view.findChild<Legend*>(QStringLiteral("legend"));
        const QString meaning = theme.hitEntry().text;
        canvas.view.setHits({canvas.idOf("relu")});
        QVERIFY(canvas.shows(theme.hit) && !canvas.shows(theme.selection));
        QVERIFY(legend->accessibleName().contains(meaning));
        canvas.view.select(canvas.idOf("relu"));  // both are seen
        QVERIFY(canvas.shows(theme.hit) && canvas.shows(theme.selection));
        canvas.view.setHits({});
        QVERIFY(!canvas.shows(theme.hit) && canvas.shows(theme.selection));
        QVERIFY(!legend->accessibleName().contains(meaning));
        QCOMPARE(legend->height(), legend->heightForWidth(legend->width()));
    }

    void theLegendStandsBelowTheCanvas() {
        Canvas canvas(drawSample("mlp"));
        const auto* legend = canvas.view.findChild<Legend*>(QStringLiteral("legend"));
        QVERIFY(legend && legend->isVisible());
        QCOMPARE(legend->height(), legend->heightForWidth(legend->width()));
        QVERIFY(!legend->geometry().intersects(canvas.view.viewport()->geometry()));
        QVERIFY(legend->accessibleName().contains(QStringLiteral("saved for backward")));
        canvas.view.showMessage(QStringLiteral("gone"));
        QVERIFY(!legend->isVisible());
    }
};

QTEST_MAIN(TestGraphView)
#include "test_graph_view.moc"
