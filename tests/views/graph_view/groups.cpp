// Groups on the canvas: opened and closed with the mouse and the keys.

#include "shown_canvas.h"
#include "test_graph_view.h"

#include "canvas/graph_view.h"
#include "canvas/layout_job.h"
#include "views/drawings.h"

#include <QSignalSpy>

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// The box of the forward half of a closed group.
int groupBox(const DrawnGraph& graph, const char* key) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i].group >= 0 && graph.nodes[i].name == QString::fromUtf8(key)) return static_cast<int>(i);
    return -1;
}

}  // namespace

void TestGraphView::aDoubleClickOpensAndClosesAGroup() {
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

void TestGraphView::keysOpenAndCloseGroups() {
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

void TestGraphView::theVisiblePartStaysInPlace() {
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
        const auto open =
            visibleGraph(whole, toggled(*whole->groups, closed, whole->groups->byKey(QString::fromUtf8(key)), true));
        canvas.view.showGraph(open, std::make_shared<const GraphLayout>(layoutNow(*open)), GraphView::Camera::keep,
                              QString::fromUtf8(key));
        QVERIFY2((place(key) - before).manhattanLength() <= 3, key);
        canvas.show(visibleGraph(whole, closed));
    }
}

void TestGraphView::aNodeInAClosedGroupMarksItsBox() {
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
