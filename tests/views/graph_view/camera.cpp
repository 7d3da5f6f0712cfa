// Zooming, and reuse of the last frame.

#include "shown_canvas.h"
#include "test_graph_view.h"

#include "canvas/view/graph_view.h"
#include "support/patience.h"
#include "views/drawings.h"

#include <QScrollBar>

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// A pattern that changes with the position in the picture, painted pixel by pixel: moving a frame is visible in it.
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
        return picture.frame(camera, window, ratio, [&](QPainter& painter, const QRectF& part, bool isRough) {
            rough = isRough;
            painted += part.width() * part.height();
            paintPattern(painter, part, camera);
        });
    }
    static QImage whole(const QTransform& camera, qreal ratio = 1) {
        return Backing().frame(camera, {200, 160}, ratio);
    }
    BackingPicture picture;
    double painted = 0;
    bool rough = false;  ///< the part painted last
};

double differingShare(const QImage& a, const QImage& b) {
    double pixels = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) pixels += a.pixel(x, y) != b.pixel(x, y);
    return pixels / a.width() / a.height();
}

/// Painted again by the same painter: subpixel positions of letters depend on its previous content.
bool isAsPaintedAnew(GraphView& view, const QImage& image) {
    view.setTheme(view.paintOptions().theme);
    return image == shown(view);
}

/// Waits until all movement has stopped, including scroll bars.
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

}  // namespace

// --- zoom ---

void TestGraphView::zooms() {
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

void TestGraphView::zoomingStaysWhereItIs() {
    Canvas canvas(drawSample("gpt2-tiny"));
    GraphView& view = canvas.view;
    view.goTo({view.layout()->bounds.center(), 1});
    for (const double factor : {1.25, 0.8, 0.5}) {  // wherever the pointer is, even if it has not moved yet
        const QPointF before = view.position().centre;
        view.zoomBy(factor);
        const QPointF moved = (view.position().centre - before) * view.position().zoom;
        QVERIFY(std::abs(moved.x()) <= view.width() / 2.0 && std::abs(moved.y()) <= view.height() / 2.0);
    }
}

void TestGraphView::theWheelZoomsWithCtrlOnly() {
    Canvas canvas(drawText(kTwoLayers));
    canvas.view.resetZoom();
    for (const auto& [modifiers, zoom] : {std::pair{Qt::NoModifier, 1.0}, std::pair{Qt::ControlModifier, 1.25}}) {
        QWheelEvent event(QPointF(100, 100), canvas.view.viewport()->mapToGlobal(QPointF(100, 100)), {}, {0, 120},
                          Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(canvas.view.viewport(), &event);
        QCOMPARE(canvas.view.transform().m11(), zoom);
    }
}

void TestGraphView::theWheelScrollsSidewaysWithShift() {
    Canvas canvas(drawSample("gpt2-tiny"));
    canvas.view.goTo({canvas.view.layout()->bounds.center(), 3});
    const QPointF before = canvas.view.position().centre;
    QWheelEvent event(QPointF(100, 100), canvas.view.viewport()->mapToGlobal(QPointF(100, 100)), {}, {0, -120},
                      Qt::NoButton, Qt::ShiftModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(canvas.view.viewport(), &event);
    const QPointF after = canvas.view.position().centre;
    QVERIFY(after.x() > before.x() + 1);
    QCOMPARE(after.y(), before.y());
}

void TestGraphView::fits() {
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

void TestGraphView::whatWasFittedIsFittedAgain() {
    Canvas canvas(drawSample("mlp"));
    const QRectF bounds = canvas.view.layout()->bounds;
    const auto seesAll = [&] {
        const QRect onScreen = canvas.view.mapFromScene(bounds).boundingRect();
        return canvas.view.viewport()->rect().adjusted(-2, -2, 2, 2).contains(onScreen);
    };
    canvas.view.fitAll();
    for (const QSize size : {QSize(400, 300), QSize(1200, 900), QSize(700, 250)}) {
        canvas.view.resize(size);
        QTRY_VERIFY_WITH_TIMEOUT(seesAll(), kPatience);
    }
    canvas.view.resize(900, 700);
    canvas.view.fitWidth();
    const double before = canvas.view.zoom();
    canvas.view.resize(300, 700);
    QTRY_VERIFY_WITH_TIMEOUT(canvas.view.zoom() < before, kPatience);
}

void TestGraphView::whatTheUserHasMovedStays() {
    Canvas canvas(drawSample("mlp"));
    canvas.view.fitAll();
    canvas.view.zoomBy(2);
    const GraphView::Position zoomed = canvas.view.position();
    canvas.view.resize(600, 500);
    QCoreApplication::processEvents();
    QCOMPARE(canvas.view.zoom(), zoomed.zoom);
    QVERIFY(QLineF(canvas.view.position().centre, zoomed.centre).length() * zoomed.zoom < 3);
    canvas.view.verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepAdd);
    canvas.view.resize(500, 400);
    QCoreApplication::processEvents();
    QCOMPARE(canvas.view.zoom(), zoomed.zoom);
}

// --- reuse of the last frame ---

void TestGraphView::aShiftedPictureIsPaintedAtItsEdgesOnly() {
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
        QVERIFY(!backing.rough);
        QVERIFY(!backing.picture.isWhole());
        QCOMPARE(image, Backing::whole(camera));
    }
}

void TestGraphView::aPictureIsShiftedByWholePixelsOfTheScreen() {
    for (const double ratio : {1.25, 2.0}) {
        Backing backing;
        backing.frame({}, {200, 160}, ratio);
        const QTransform camera = QTransform::fromTranslate(0, -8);
        const QImage image = backing.frame(camera, {200, 160}, ratio);
        QCOMPARE(backing.painted, 200.0 * 8);
        QCOMPARE(image, Backing::whole(camera, ratio));
    }
}

void TestGraphView::aScaledPictureIsPaintedAroundItsEdges() {
    Backing backing;
    backing.frame({});
    backing.frame(QTransform(1.25, 0, 0, 1.25, -25, -20));
    QCOMPARE(backing.painted, 0.0);
    QVERIFY(!backing.picture.isWhole());
    backing.frame({});
    QVERIFY(backing.painted > 0.3 * 200 * 160 && backing.painted < 0.4 * 200 * 160);
    QVERIFY(backing.rough);
    backing.picture.forget();
    QCOMPARE(backing.frame({}), Backing::whole({}));
    QVERIFY(backing.picture.isWhole());
    QVERIFY(!backing.rough);
}

void TestGraphView::farFromTheLastFrameAllIsPainted() {
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

void TestGraphView::aMovedCanvasIsPaintedAtItsEdgesAndAtRestAsAWhole() {
    Canvas canvas(*withGroups(drawSample("gpt2-tiny")));
    GraphView& view = canvas.view;
    view.showMinimap(false);  // it follows at once
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
            if (view.viewport()->size() == size) {  // no scroll bar appeared or disappeared
                QVERIFY(!view.picture().isWhole());
                QVERIFY(paintedShare(view) < 0.4);
            }
            QVERIFY(restsAsPaintedAnew(view));
        }
    }
}

void TestGraphView::theFirstFrameOfATurnedWheelIsCheap() {
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
