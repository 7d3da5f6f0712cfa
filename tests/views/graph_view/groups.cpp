// Groups on the canvas: opened and closed with the mouse and the keys.

#include "shown_canvas.h"
#include "test_graph_view.h"

#include "canvas/layout/layout_job.h"
#include "canvas/view/graph_view.h"
#include "views/drawings.h"

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
    QCOMPARE(canvas.taken(), kNoNode);  // a group is not a node
    QCOMPARE(canvas.view.selectedGroup(), group);
    canvas.view.select(kNoNode);  // like other users of the selection
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

void TestGraphView::theGroupUnderThePointerStandsStill_data() {
    columns<GraphKind, QString, bool, double>("kind", "key", "backward", "zoom");
    for (const double zoom : {1.0, 0.6}) {
        for (const char* key : {"blocks.0", "blocks.1"})
            for (const bool backward : {false, true})
                QTest::addRow("joint, %s, %s, %g", key, backward ? "backward" : "forward", zoom)
                    << GraphKind::joint << QString::fromUtf8(key) << backward << zoom;
        for (const GraphKind kind : {GraphKind::forward, GraphKind::backward})
            QTest::addRow("%s, %g", name(kind).data(), zoom) << kind << u"blocks.1"_s << false << zoom;
    }
}

void TestGraphView::theGroupUnderThePointerStandsStill() {
    QFETCH(GraphKind, kind);
    QFETCH(QString, key);
    QFETCH(bool, backward);
    QFETCH(double, zoom);
    const auto whole = withGroups(drawSample("gpt2-tiny", kind));
    const int group = whole->groups->byKey(key);
    const ViewState closed = collapsedTo(*whole->groups, 2);
    Canvas canvas(*visibleGraph(whole, closed));
    GraphView& view = canvas.view;
    QSignalSpy toggles(&view, &GraphView::groupToggled);
    const auto closedBox = [&] {
        for (std::size_t i = 0; i < canvas.graph().nodes.size(); ++i)
            if (canvas.graph().nodes[i].group == group && canvas.graph().isBackward(static_cast<int>(i)) == backward)
                return view.layout()->boxes[i];
        return QRectF();
    };
    view.goTo({closedBox().center() + QPointF(60, -80), zoom});
    const QPoint pointer = view.mapFromScene(closedBox().topLeft() + QPointF(9, 7));
    const auto toggle = [&](bool open) {
        QTest::mouseDClick(view.viewport(), Qt::LeftButton, {}, pointer);
        if (toggles.count() != 1 || toggles.takeFirst() != QVariantList{group, open}) return false;
        const auto seen = visibleGraph(whole, toggled(*whole->groups, closed, group, open));
        view.showGraph(seen, std::make_shared<const GraphLayout>(layoutNow(*seen)), GraphView::Camera::keep, key);
        return true;
    };
    for (int turn = 0; turn < 2; ++turn) {
        QVERIFY(toggle(true));
        // Its title is there, and its content below it.
        int seen = 0;
        for (std::size_t i = 0; i < canvas.graph().nodes.size(); ++i)
            if (whole->groups->isWithin(canvas.graph().nodes[i].within, group) &&
                view.viewport()->rect().contains(view.mapFromScene(view.layout()->boxes[i]).boundingRect()))
                ++seen;
        QVERIFY2(seen > 0, qPrintable(QString::number(seen)));
        QVERIFY(toggle(false));
        QVERIFY(closedBox().contains(view.mapToScene(pointer)));
    }
}

void TestGraphView::aGroupThatIsClosedFromWithinStaysInView() {
    const auto whole = withGroups(drawSample("gpt2-tiny"));
    const DrawnNode* last = nullptr;
    for (const auto& node : whole->nodes)
        if (whole->groups->isWithin(node.within, whole->groups->byKey(u"blocks.0"_s)) && node.stage == Stage::forward)
            last = &node;
    Canvas canvas(*whole);
    canvas.view.resetZoom();
    canvas.view.select(last->id);
    canvas.view.centreOnSelection();
    const auto seen = visibleGraph(whole, collapsedTo(*whole->groups, 2));
    canvas.view.showGraph(seen, std::make_shared<const GraphLayout>(layoutNow(*seen)), GraphView::Camera::keep,
                          u"blocks.0"_s);
    const QRectF box = canvas.view.layout()->boxes[static_cast<std::size_t>(groupBox(canvas.graph(), "blocks.0"))];
    QVERIFY(canvas.view.viewport()->rect().contains(canvas.view.mapFromScene(box).boundingRect()));
}

void TestGraphView::aNodeInAClosedGroupMarksItsBox() {
    const auto whole = withGroups(drawSample("gpt2-tiny"));
    Canvas canvas(*visibleGraph(whole, collapsedTo(*whole->groups, 1)));
    const DrawnNode& addmm = nodeNamed(*whole, "addmm");
    canvas.view.select(addmm.id);
    QCOMPARE(canvas.view.selectedNode(), addmm.id);
    QCOMPARE(canvas.view.selectedGroup(), whole->groups->byKey(u"blocks"_s));
    canvas.show(whole);
    QCOMPARE(canvas.view.selectedNode(), addmm.id);
    QCOMPARE(canvas.view.selectedGroup(), addmm.within);
}
