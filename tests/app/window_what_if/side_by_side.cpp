// Decomposition levels, other models and kept runs next to the shown graph.

#include "test_window_what_if.h"
#include "what_if_driver.h"

#include <QLabel>

using namespace aotscope;
using namespace aotscope::test;

// --- decompositions and levels ---

void TestWindowWhatIf::decompositionsAreChosen() {
    WhatIf d;
    QVERIFY(d.openSample("gpt2-tiny"));
    QVERIFY(d.table("decompositionRules")->content().rows.empty());
    const std::size_t plain = d.record()->graph(GraphKind::joint)->callCount();
    auto* box = d.find<QComboBox>("decompose");
    const int item = box->findData(u"inductor"_s);
    QVERIFY(item > 0);
    box->setCurrentIndex(item);
    Q_EMIT box->activated(item);
    QVERIFY(d.settle());
    QVERIFY(d.record()->graph(GraphKind::joint)->callCount() != plain);
    QVERIFY(!d.record()->rewrites.empty());
    QCOMPARE(d.table("rewriteTable")->content().rows.size(), d.record()->rewrites.size());
    qint64 used = 0;
    for (const auto& row : d.table("decompositionRules")->content().rows) used += row.cells[0].sortKey.toLongLong();
    QCOMPARE(static_cast<std::size_t>(used), d.record()->rewrites.size());
    const auto& rows = d.table("rewriteTable")->content().rows;
    const auto row = std::find_if(rows.begin(), rows.end(), [](const auto& r) { return r.node != kNoNode; });
    QVERIFY(row != rows.end());
    d.chooseRowOf("rewriteTable", row->node);
    QVERIFY(d.settle());
    QVERIFY(d.canvas()->selectedNode() != kNoNode);
}

void TestWindowWhatIf::aCustomTable() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    QTemporaryDir folder;
    const QString file = folder.filePath(u"own.json"_s);
    QFile own(file);
    QVERIFY(own.open(QIODevice::WriteOnly));
    own.write(R"({"base": "core-aten", "ops": {"aten.threshold_backward.default": "keep"}})");
    own.close();
    auto* options = d.window.findChild<OptionsPopover*>();
    options->takeFile(optionNamed("--decompose"), file);
    QVERIFY(d.settle());
    QVERIFY(d.window.session()->options().decompositions);
    QVERIFY(!d.table("decompositionRules")->content().rows.empty());
    QVERIFY_EXCEPTION_THROWN(options->takeFile(optionNamed("--decompose"), folder.filePath(u"none.json"_s)), Error);
}

void TestWindowWhatIf::levelsAreShownSideBySide() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    QVERIFY(!d.window.secondaryGraph()->pane()->isVisible());
    d.find<QAction>("actionBeside")->trigger();
    QVERIFY(d.settle());
    GraphPane* beside = d.window.secondaryGraph()->pane();
    QVERIFY(beside->isVisible());
    QCOMPARE(beside->kind(), GraphKind::source);
    beside->showKind(GraphKind::functional);
    QVERIFY(d.settle());
    const Node* relu = d.node(GraphKind::functional, "relu");
    d.selectNode("relu");
    QVERIFY(d.settle());
    QCOMPARE(beside->view()->selectedNode(), relu->id());
    // An operation of the forward represents itself and its derivative in the joint graph.
    Q_EMIT beside->nodeSelected(d.node(GraphKind::functional, "addmm")->id());
    QVERIFY(d.settle());
    QCOMPARE(d.canvas()->selectedNode(), d.joint("addmm")->id());
}

void TestWindowWhatIf::bothPicturesMoveTogether() {
    WhatIf d;
    QVERIFY(d.openSample("gpt2-tiny"));
    d.trigger("actionBeside");
    QVERIFY(d.settle());
    d.window.secondaryGraph()->pane()->showKind(GraphKind::functional);
    QVERIFY(d.settle());
    GraphView *here = d.canvas(), *there = d.window.secondaryGraph()->pane()->view();
    const auto first = d.record()->graph(GraphKind::functional)->findByName("gelu");
    QVERIFY(first);
    Q_EMIT d.window.secondaryGraph()->pane()->nodeSelected(first->id());
    QVERIFY(d.settle());
    const NodeId counterpart = here->selectedNode();
    const auto centreOf = [](const GraphView& view, NodeId node) {
        return view.layout()->boxes[static_cast<std::size_t>(view.graph()->indexOf.at(node))].center();
    };
    const auto onScreen = [&](const GraphView& view, NodeId node) {
        return view.viewportTransform().map(centreOf(view, node)) - QPointF(view.viewport()->rect().center());
    };
    constexpr double rounding = 7;  // of both pictures, to pixels of either
    // Far enough from the edges of both pictures.
    here->goTo({centreOf(*here, counterpart), 3});
    QTRY_COMPARE_WITH_TIMEOUT(there->position().zoom, 3.0, kPatience);
    QVERIFY(onScreen(*here, counterpart).manhattanLength() < rounding);
    QTRY_VERIFY_WITH_TIMEOUT(onScreen(*there, first->id()).manhattanLength() < rounding, kPatience);
    // Moving one side moves the other.
    there->goTo({centreOf(*there, first->id()) + QPointF(10, 20), 2});
    QTRY_COMPARE_WITH_TIMEOUT(here->position().zoom, 2.0, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(
        (onScreen(*here, counterpart) - onScreen(*there, first->id())).manhattanLength() < rounding, kPatience);
    QVERIFY((onScreen(*there, first->id()) - QPointF(-20, -40)).manhattanLength() < rounding);
    // Only while the cameras are linked.
    QVERIFY(d.find<QAction>("actionLinkCameras")->isChecked());
    d.trigger("actionLinkCameras");
    here->goTo({centreOf(*here, counterpart), 4});
    QTest::qWait(100);
    QCOMPARE(there->position().zoom, 2.0);
    d.trigger("actionLinkCameras");
    QTRY_COMPARE_WITH_TIMEOUT(there->position().zoom, 4.0, kPatience);
}

/// Without corresponding nodes, the same part of both pictures is shown.
void TestWindowWhatIf::picturesOfOtherModelsMoveTogether() {
    WhatIf d;
    QVERIFY(d.openSample("resnet18"));
    d.window.compare()->compareWith(u"sample:gpt2-tiny"_s);
    QVERIFY(d.settle());
    GraphView *here = d.canvas(), *there = d.window.secondaryGraph()->pane()->view();
    const auto part = [](const GraphView& view) {
        const QRectF& bounds = view.layout()->bounds;
        return (view.position().centre.y() - bounds.top()) / bounds.height();
    };
    for (const double wanted : {0.3, 0.6}) {
        const QRectF& bounds = here->layout()->bounds;
        here->goTo({{bounds.center().x(), bounds.top() + wanted * bounds.height()}, 1});
        QTRY_VERIFY2_WITH_TIMEOUT(qAbs(part(*there) - wanted) < 0.02, qPrintable(QString::number(part(*there))),
                                  kPatience);
    }
}

void TestWindowWhatIf::lowerLevelsAreMadeWhenAskedFor() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    d.find<QAction>("actionBeside")->trigger();
    QVERIFY(d.settle());
    GraphPane* beside = d.window.secondaryGraph()->pane();
    auto* tabs = beside->findChild<QTabBar*>();
    const auto choose = [&](const QString& title) {
        for (int i = 0; i < tabs->count(); ++i)
            if (tabs->tabText(i) == title) tabs->setCurrentIndex(i);
        return d.settle() && tabs->tabText(tabs->currentIndex()) == title;
    };
    QVERIFY(choose(u"Prims"_s));
    const auto has = [&](const char* op) {
        const auto nodes = beside->graph()->nodes();
        return std::any_of(nodes.begin(), nodes.end(), [&](const Node* n) { return n->isCall(op); });
    };
    QVERIFY(has("prims.transpose.default"));
    QVERIFY(choose(u"Core ATen"_s));
    QVERIFY(has("aten.permute.default"));
    // One operation is several there, each of which leads back to it.
    const auto joint = d.record()->graph(GraphKind::joint)->nodes();
    const auto mask = std::find_if(joint.begin(), joint.end(),
                                   [](const Node* n) { return n->isCall("aten.threshold_backward.default"); });
    QVERIFY(mask != joint.end());
    d.clickNode((*mask)->id());
    QVERIFY(d.settle());
    const Node* first = beside->graph()->findById(beside->view()->selectedNode());
    QVERIFY(first);
    QCOMPARE(q(first->op()), u"aten.le.Scalar"_s);
    Q_EMIT beside->nodeSelected(first->id());
    QVERIFY(d.settle());
    QCOMPARE(d.canvas()->selectedNode(), (*mask)->id());
}

// --- comparing runs ---

void TestWindowWhatIf::anotherModelIsShownNextToIt() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    d.window.compare()->compareWith(u"sample:sincos"_s);
    QVERIFY(d.settle());
    QVERIFY(d.find<QAction>("actionBeside")->isChecked());
    QCOMPARE(d.window.secondaryGraph()->pane()->kind(), GraphKind::joint);
    const auto there = d.window.secondaryGraph()->pane()->graph()->nodes();
    QVERIFY(std::any_of(there.begin(), there.end(), [](const Node* n) { return n->isCall("aten.sin.default"); }));
    const auto& rows = d.table("comparedRuns")->content().rows;
    QVERIFY(std::any_of(rows.begin(), rows.end(),
                        [](const auto& row) { return row.cells[0].text.contains(u"aten.sin.default"_s); }));
    d.trigger("actionStopComparing");
    QVERIFY(d.settle());
    QVERIFY(!d.find<QAction>("actionBeside")->isChecked());
    QVERIFY(!d.window.secondaryGraph()->pane()->isVisible());
    QVERIFY(d.table("comparedRuns")->content().rows.empty());
}

void TestWindowWhatIf::aKeptRunIsComparedWithLaterOnes() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    d.trigger("actionKeepRun");
    QVERIFY(d.settle());
    QVERIFY(d.table("comparedRuns")->content().summary == u"No difference"_s);
    auto* box = d.find<QComboBox>("decompose");
    const int item = box->findData(u"core-aten"_s);
    box->setCurrentIndex(item);
    Q_EMIT box->activated(item);
    QVERIFY(d.settle());
    const TableContent& runs = d.table("comparedRuns")->content();
    QVERIFY(std::any_of(runs.rows.begin(), runs.rows.end(), [](const auto& row) {
        return row.cells[0].text == "joint: aten.permute.default"_L1 && row.cells[1].sortKey.toInt() == 0 &&
               row.cells[2].sortKey.toInt() > 0 && row.cells[3].text.startsWith(u'+');  // the kept run is the baseline
    }));
    QCOMPARE(runs.columns[1].title, u"mlp, kept"_s);
    QVERIFY(std::any_of(runs.rows.begin(), runs.rows.end(), [](const auto& row) {
        return row.cells[0].text == "option decompose"_L1 && row.cells[2].text == "core-aten"_L1;
    }));
    // Each pane says which run it shows.
    const auto runShown = [](const GraphPane* pane) { return pane->findChild<QLabel*>(u"runName"_s)->text(); };
    QCOMPARE(runShown(d.window.secondaryGraph()->pane()), u"mlp, kept"_s);
    QCOMPARE(runShown(d.pane()), u"mlp"_s);
    // Both have this matrix product; only its name may differ.
    d.selectNode("addmm");
    QVERIFY(d.settle());
    const auto& other = d.window.secondaryGraph()->pane();
    QCOMPARE(q(other->graph()->findById(other->view()->selectedNode())->op()), u"aten.addmm.default"_s);
    const TableContent& nodes = d.table("comparedNodes")->content();
    QVERIFY(!nodes.rows.empty());
    for (const auto& row : nodes.rows) {
        const bool same = row.cells[2].text == row.cells[3].text;
        QCOMPARE(row.cells[0].text.isEmpty(), same);
        if (row.cells[1].text == "type"_L1) QVERIFY(same);
    }
}

void TestWindowWhatIf::twoRunsAreTimedInterleaved() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    QVERIFY(!d.find<QAction>("actionTimeBoth")->isEnabled());
    d.trigger("actionKeepRun");
    QVERIFY(d.settle());
    d.choosePartition(PartitionAlgorithm::defaultPartition);
    QVERIFY(d.settle());
    QVERIFY(d.find<QAction>("actionTimeBoth")->isEnabled());
    d.trigger("actionTimeBoth");
    QVERIFY(d.settle());
    QVERIFY(d.window.compare()->timing());
    const auto& runs = d.table("comparedRuns")->content();
    const auto& step = runs.rows[2];
    QVERIFY(step.cells[0].text.startsWith(u"step, median of 20 interleaved runs"_s));
    QVERIFY2(step.cells[3].text.contains(u" to "_s), qPrintable(step.cells[3].text));
    QCOMPARE(step.cells[3].sortKey.toDouble(), d.window.compare()->timing()->step.ratio.median);
    d.trigger("actionStopComparing");
    QVERIFY(!d.window.compare()->timing() && !d.find<QAction>("actionTimeBoth")->isEnabled());
}

void TestWindowWhatIf::unreadableModelsAreNotCompared() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    d.window.compare()->compareWith(u"/nowhere/model.pt2"_s);
    QVERIFY(d.settle());
    QVERIFY(d.lastProblem().contains(u"/nowhere/model.pt2"_s));
    QVERIFY(!d.window.compare()->comparing());
    QCOMPARE(d.modelName(), u"mlp"_s);
}
