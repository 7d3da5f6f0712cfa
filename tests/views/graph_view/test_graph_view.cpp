// Showing, selecting and keyboard navigation.

#include "test_graph_view.h"
#include "shown_canvas.h"
#include "support/test_program.h"

#include "canvas/view/text_zoom.h"
#include "support/patience.h"
#include "views/drawings.h"

#include <QHelpEvent>
#include <QToolTip>

using namespace aotscope;
using namespace aotscope::test;

void TestGraphView::showsEveryBox_data() { rowsOf("sample", {"sincos", "mlp", "resnet18", "gpt2-tiny"}); }
void TestGraphView::showsEveryBox() {
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

void TestGraphView::aClickChoosesTheBoxUnderIt() {
    Canvas canvas(drawText(kTwoLayers));
    canvas.view.fitAll();
    for (int i = 0; i < static_cast<int>(canvas.graph().nodes.size()); ++i) {
        const DrawnNode& node = canvas.graph().nodes[static_cast<std::size_t>(i)];
        if (node.kind == DrawnNode::Kind::output) continue;
        canvas.click(canvas.placeOf(i));
        QCOMPARE(canvas.taken(), node.id);
    }
}

void TestGraphView::aClickOnNothingClears() {
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

void TestGraphView::draggingChoosesNothing() {
    Canvas canvas(drawText(kTwoLayers));
    canvas.view.fitAll();
    const QPoint place = canvas.placeOf(0);
    QTest::mousePress(canvas.view.viewport(), Qt::LeftButton, {}, place);
    QTest::mouseMove(canvas.view.viewport(), place + QPoint(0, 60));
    QTest::mouseRelease(canvas.view.viewport(), Qt::LeftButton, {}, place + QPoint(0, 60));
    QVERIFY(canvas.spy.isEmpty());
}

void TestGraphView::selectingFromOutsideDoesNotEmit() {
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

void TestGraphView::selectingBringsIntoView() {
    Canvas canvas(drawSample("gpt2-tiny"));
    canvas.view.resetZoom();
    for (const std::size_t i : {canvas.graph().nodes.size() - 2, std::size_t{3}}) {
        const DrawnNode& node = canvas.graph().nodes[i];
        canvas.view.select(node.id);
        QVERIFY(canvas.view.viewport()->rect().contains(canvas.placeOf(static_cast<int>(i))));
    }
}

void TestGraphView::selectingAnElementMarksItsTuple() {
    Canvas canvas(drawText(kTuple, GraphKind::functional));
    canvas.view.select(5);
    QVERIFY(canvas.shows(canvas.view.paintOptions().theme.selection));
}

void TestGraphView::arrowKeysWalkAlongEdges() {
    Canvas canvas(drawText(kTwoLayers));
    QCOMPARE(canvas.key(Qt::Key_Down), canvas.idOf("x"));  // without a selection: at the start
    QCOMPARE(canvas.key(Qt::Key_Down), canvas.idOf("addmm"));
    QCOMPARE(canvas.key(Qt::Key_Down), canvas.idOf("relu"));
    QCOMPARE(canvas.key(Qt::Key_Up), canvas.idOf("addmm"));
    canvas.view.select(canvas.idOf("relu"));
    QCOMPARE(canvas.key(Qt::Key_Right), canvas.idOf("back"));  // along the rung
    QCOMPARE(canvas.key(Qt::Key_Left), canvas.idOf("relu"));
    canvas.view.select(canvas.idOf("back"));
    QCOMPARE(canvas.key(Qt::Key_Up), canvas.idOf("mm"));
}

void TestGraphView::arrowKeysKeepASelection() {
    Canvas canvas(drawText(kTwoLayers));
    for (const auto& node : canvas.graph().nodes) {
        if (node.id == kNoNode) continue;
        for (const int key : {Qt::Key_Up, Qt::Key_Down, Qt::Key_Left, Qt::Key_Right}) {
            canvas.view.select(node.id);
            QVERIFY2(canvas.key(key) != kNoNode, qPrintable(node.name));
        }
    }
}

void TestGraphView::theSelectionStaysWithTheNextPicture() {
    Canvas canvas(drawText(kTwoLayers));
    canvas.view.select(canvas.idOf("addmm"));
    canvas.show(share(drawText(kTwoLayers, GraphKind::functional)));
    QCOMPARE(canvas.key(Qt::Key_Down), canvas.idOf("relu"));
    canvas.show(share(drawText(chainText(3), GraphKind::functional)));
    QCOMPARE(canvas.view.nodeItemCount(), std::size_t{5});
}

void TestGraphView::aClickOnAStubJumpsToTheOtherEnd() {
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

void TestGraphView::theMinimapMovesTheView() {
    Canvas canvas(drawText(chainText(120), GraphKind::functional));
    auto* map = canvas.view.findChild<Minimap*>(u"minimap"_s);
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

void TestGraphView::theMinimapCoversNothing_data() { rowsOf("sample", {"mlp", "resnet18", "gpt2-tiny", "bert-tiny"}); }

void TestGraphView::theMinimapCoversNothing() {
    QFETCH(QString, sample);
    Canvas canvas(*withGroups(drawSample(sample.toStdString())));
    GraphView& view = canvas.view;
    const auto* map = view.findChild<Minimap*>(u"minimap"_s);
    const auto covers = [&] {
        const QPoint toView = view.viewport()->geometry().topLeft();
        return map->isVisible() && std::ranges::any_of(view.layout()->boxes, [&](const QRectF& box) {
                   const QRect seen = view.mapFromScene(box).boundingRect() & view.viewport()->rect();
                   return seen.translated(toView).intersects(map->geometry());
               });
    };
    QVERIFY(!covers());  // at the start
    const QRectF bounds = view.layout()->bounds;
    for (const double zoom : {1.0, 0.5, 2.0}) {
        view.goTo({bounds.center(), zoom});
        QVERIFY(!covers());
    }
    view.fitAll();
    QVERIFY(!covers());
    QVERIFY(!map->isVisible());
}

void TestGraphView::tooltipsSayWhatABoxIs() {
    Canvas canvas(drawText(kTwoLayers));
    canvas.view.fitAll();
    const QPoint place = canvas.placeOf(boxNamed(canvas.graph(), "relu"));
    QHelpEvent event(QEvent::ToolTip, place, canvas.view.viewport()->mapToGlobal(place));
    QCoreApplication::sendEvent(canvas.view.viewport(), &event);
    QVERIFY(QToolTip::text().startsWith(u"%relu"_s));
    QToolTip::hideText();
    QVERIFY(nodeNamed(canvas.graph(), "addmm").attached.contains(u"layer.weight (%w)"_s));
}

AOTSCOPE_TEST(TestGraphView)
#include "test_graph_view.moc"
