// The canvas with its tabs: which graph is shown, when its picture appears, and what is kept.

#include "panels/graph/graph_pane.h"
#include "support/deep_graph.h"
#include "support/patience.h"
#include "support/test_program.h"
#include "views/drawings.h"

#include <QLabel>
#include <QMenu>
#include <QToolButton>

namespace aotscope::test::graph_pane_test {
namespace {

/// A shown pane and the signals that it has emitted.
struct Pane {
    Pane() : changes(&pane, &GraphPane::graphChanged), layouts(&pane, &GraphPane::layoutFinished) {
        pane.resize(900, 700);
        pane.show();
    }
    explicit Pane(const std::string& sample, bool inference = false) : Pane() {
        pane.setRecord(recordOf(sample, inference));
    }
    bool settle() {
        return QTest::qWaitFor([&] { return !pane.layoutRunning(); }, kPatience);
    }
    QTabBar* tabs() const { return pane.findChild<QTabBar*>(u"graphTabs"_s); }
    QStringList titles() const {
        QStringList list;
        for (int i = 0; i < tabs()->count(); ++i) list << tabs()->tabText(i);
        return list;
    }
    void choose(GraphKind kind) {
        for (int i = 0; i < tabs()->count(); ++i)
            if (tabs()->tabText(i) == titleOf(kind) && tabs()->isTabVisible(i))
                return QTest::mouseClick(tabs(), Qt::LeftButton, {}, tabs()->tabRect(i).center());
        for (QAction* other : tabs()->parentWidget()->findChild<QToolButton*>()->menu()->actions())
            if (other->text() == titleOf(kind)) return other->trigger();
    }
    /// True if the canvas shows the picture of the final graph of `kind`.
    bool pictures(const std::shared_ptr<const CompileRecord>& record, GraphKind kind) const {
        const DrawnGraph expected = drawGraph(*record->graph(kind), kind, record->partition.get());
        const DrawnGraph* shown = pane.view()->graph();
        return shown && shown->kind == kind && shown->nodes.size() == expected.nodes.size() &&
               pane.view()->nodeItemCount() == expected.nodes.size();
    }
    QString note() const { return pane.findChild<QLabel*>(u"canvasNote"_s)->text(); }

    GraphPane pane;
    QSignalSpy changes, layouts;
};

/// Gives every box one tint.
GraphPane::Decoration tinted(Meaning meaning) {
    return [meaning](DrawnGraph& drawn, const std::shared_ptr<const Graph>& /*graph*/) {
        for (DrawnNode& node : drawn.nodes) node.tint = Tint{meaning};
        drawn.tints.push_back({Tint{meaning}, u"marked"_s});
    };
}

bool isTinted(const DrawnGraph* graph, Meaning meaning) {
    return std::ranges::all_of(graph->nodes, [&](const auto& n) { return n.tint && n.tint->meaning == meaning; });
}

QStringList titlesOf(std::initializer_list<GraphKind> kinds) {
    QStringList list;
    for (const GraphKind kind : kinds) list << titleOf(kind);
    return list;
}

}  // namespace

class TestGraphPane : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The latest marks are visible, on the shown graph and later on the others.
    void largeGraphsAreMarkedInTheBackground() {
        CompileRecord record;
        for (const GraphKind kind : {GraphKind::joint, GraphKind::functional})
            record.graphs[kind] = parseGraph(deepGraphText(40));
        Pane p;
        p.pane.setRecord(std::make_shared<const CompileRecord>(std::move(record)));
        QVERIFY(p.settle());
        p.pane.setDecoration(tinted(Meaning::removed));
        QVERIFY(!isTinted(p.pane.wholeGraph().get(), Meaning::removed));
        p.pane.setDecoration(tinted(Meaning::added));
        const auto marked = [&] { return !p.pane.marking() && isTinted(p.pane.wholeGraph().get(), Meaning::added); };
        QTRY_VERIFY_WITH_TIMEOUT(marked(), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(p.pane.view()->graph()->tints.size(), std::size_t{1}, kPatience);
        QVERIFY(isTinted(p.pane.view()->graph(), Meaning::added) || !p.pane.viewState().collapsed.isEmpty());
        p.choose(GraphKind::functional);
        QVERIFY(p.settle());
        QTRY_VERIFY_WITH_TIMEOUT(marked(), kPatience);
        p.pane.setDecoration({});
        QTRY_VERIFY_WITH_TIMEOUT(!p.pane.wholeGraph()->nodes[0].tint, kPatience);
        p.choose(GraphKind::joint);
        QVERIFY(p.settle());
        QTRY_VERIFY_WITH_TIMEOUT(!p.pane.wholeGraph()->nodes[0].tint, kPatience);
    }

    void aPreparedGraphIsThereAtOnce() {
        const auto record = recordOf("mlp");
        Pane p("mlp");
        p.pane.prepare(GraphKind::functional, record->graph(GraphKind::functional));
        QVERIFY(!p.pane.preparing());  // the shown graph comes first
        QVERIFY(p.settle());
        p.pane.prepare(GraphKind::functional, record->graph(GraphKind::functional));
        QVERIFY(p.pane.preparing() && !p.pane.layoutRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!p.pane.preparing(), kPatience);
        QCOMPARE(p.layouts.count(), 1);
        QVERIFY(p.pictures(record, GraphKind::joint));
        p.pane.showKind(GraphKind::functional);
        QVERIFY(!p.pane.layoutRunning());
        QCOMPARE(p.layouts.count(), 2);
        QVERIFY(p.pictures(record, GraphKind::functional));
    }

    /// It may be shown, viewed differently, or dropped before it is laid out.
    void aGraphIsShownWhileItIsBeingPrepared() {
        const auto record = recordOf("mlp");
        Pane p("mlp");
        QVERIFY(p.settle());
        p.pane.prepare(GraphKind::functional, record->graph(GraphKind::functional));
        p.pane.showKind(GraphKind::functional);
        QVERIFY(p.pane.layoutRunning() && !p.pane.preparing());
        QVERIFY(p.settle());
        QCOMPARE(p.layouts.count(), 2);
        QVERIFY(p.pictures(record, GraphKind::functional));
        p.pane.prepare(GraphKind::source, record->graph(GraphKind::source));
        p.pane.showKind(GraphKind::joint);
        QVERIFY(p.pictures(record, GraphKind::joint));
        QVERIFY(!p.pane.preparing());
        p.pane.prepare(GraphKind::source, record->graph(GraphKind::source));
        p.pane.setRecord(recordOf("sincos"));
        QVERIFY(p.settle());
        QVERIFY(p.pictures(recordOf("sincos"), GraphKind::joint));
    }

    void aTrainingRunStartsWithTheJointGraph() {
        Pane p("mlp");
        QCOMPARE(p.titles(), titlesOf({GraphKind::joint, GraphKind::forward, GraphKind::backward, GraphKind::source,
                                       GraphKind::preFunctionalization, GraphKind::functional}) +
                                 QStringList{u"Flow Network"_s});
        QCOMPARE(p.pane.kind(), GraphKind::joint);
        QCOMPARE(p.pane.graph(), recordOf("mlp")->graph(GraphKind::joint));
        QVERIFY(p.pane.layoutRunning());
        QVERIFY(p.settle());
        QVERIFY(p.pictures(recordOf("mlp"), GraphKind::joint));
        QCOMPARE(p.changes.count(), 1);
        QCOMPARE(p.layouts.count(), 1);
        QCOMPARE(p.note(), QString());
    }

    void aTabShowsItsGraph_data() {
        const auto row = columns<int>("kind");
        for (const auto& [kind, graph] : recordOf("mlp")->graphs) row(name(kind).data(), static_cast<int>(kind));
    }
    void aTabShowsItsGraph() {
        QFETCH(int, kind);
        Pane p("mlp");
        QVERIFY(p.settle());
        p.choose(static_cast<GraphKind>(kind));
        QCOMPARE(p.pane.kind(), static_cast<GraphKind>(kind));
        QVERIFY(p.settle());
        QVERIFY(p.pictures(recordOf("mlp"), static_cast<GraphKind>(kind)));
    }

    void picturesAreKept() {
        Pane p("mlp");
        QVERIFY(p.settle());
        const GraphLayout* joint = p.pane.view()->layout();
        p.choose(GraphKind::forward);
        QVERIFY(p.settle());
        p.choose(GraphKind::joint);
        QVERIFY(!p.pane.layoutRunning());
        QCOMPARE(p.pane.view()->layout(), joint);
        QCOMPARE(p.layouts.count(), 3);
    }

    void theLastOfSeveralChoicesIsShown() {
        Pane p("gpt2-tiny");
        for (const GraphKind kind : {GraphKind::forward, GraphKind::source, GraphKind::backward}) p.choose(kind);
        QVERIFY(p.settle());
        QVERIFY(p.pictures(recordOf("gpt2-tiny"), GraphKind::backward));
        QCOMPARE(p.layouts.count(), 1);
    }

    void choosingBackAndForthWhileLayingOut() {
        Pane p("mlp");
        QVERIFY(p.settle());
        p.choose(GraphKind::forward);
        p.choose(GraphKind::joint);
        QVERIFY(p.settle());
        QVERIFY(p.pictures(recordOf("mlp"), GraphKind::joint));
        QCOMPARE(p.note(), QString());
        p.choose(GraphKind::forward);
        QVERIFY(p.settle());
        QVERIFY(p.pictures(recordOf("mlp"), GraphKind::forward));
    }

    void anotherRunKeepsTheTabIfItCan() {
        Pane p("mlp");
        QVERIFY(p.settle());
        p.choose(GraphKind::functional);
        p.pane.setRecord(recordOf("sincos"));
        QCOMPARE(p.pane.kind(), GraphKind::functional);
        QCOMPARE(p.tabs()->tabText(p.tabs()->currentIndex()), titleOf(GraphKind::functional));
        QVERIFY(p.settle());
        QVERIFY(p.pictures(recordOf("sincos"), GraphKind::functional));
    }

    void anInferenceRunHasNoJointGraph() {
        Pane p("mlp");
        p.pane.setRecord(recordOf("mlp", true));
        QVERIFY(p.titles().contains(titleOf(GraphKind::inference)));
        QVERIFY(!p.titles().contains(titleOf(GraphKind::joint)));
        QVERIFY(recordOf("mlp", true)->graph(p.pane.kind()));
        QVERIFY(p.settle());
        QVERIFY(p.pictures(recordOf("mlp", true), p.pane.kind()));
        p.pane.showKind(GraphKind::joint);  // there is none: as before
        QVERIFY(recordOf("mlp", true)->graph(p.pane.kind()));
    }

    void theGraphOfAPassIsShown() {
        Pane p("mlp");
        QVERIFY(p.settle());
        for (const auto& pass : recordOf("mlp")->passes) {
            if (pass.graphs.empty()) continue;
            p.pane.showGraph(pass.graphs.front().first, pass.graphs.front().second);
            QCOMPARE(p.pane.graph(), pass.graphs.front().second);
            QVERIFY(p.settle());
            QCOMPARE(p.pane.view()->nodeItemCount(), p.pane.view()->graph()->nodes.size());
            QCOMPARE(p.tabs()->tabText(p.tabs()->currentIndex()), titleOf(p.pane.kind()));
        }
    }

    void aRunThatLeftNoGraphShowsItsError() {
        auto failed = std::make_shared<CompileRecord>();
        failed->error = "nothing could be made of it";
        Pane p("mlp");
        QVERIFY(p.settle());
        p.pane.setRecord(failed);
        QCOMPARE(p.note(), u"nothing could be made of it"_s);
        QCOMPARE(p.pane.view()->nodeItemCount(), std::size_t{0});
        QVERIFY(!p.pane.graph());
        QCOMPARE(p.tabs()->count(), 0);
        p.pane.setRecord(recordOf("mlp"));
        QVERIFY(p.settle());
        QVERIFY(p.pictures(recordOf("mlp"), GraphKind::joint));
    }

    /// A layout of the previous run is cancelled, without leaving "Laying out" behind.
    void aRunWithoutGraphsEndsTheLayoutUnderWay() {
        auto failed = std::make_shared<CompileRecord>();
        failed->error = "nothing could be made of it";
        Pane p("mlp");
        QVERIFY(p.pane.layoutRunning());
        p.pane.setRecord(failed);
        QVERIFY(!p.pane.layoutRunning());
        QCOMPARE(p.note(), u"nothing could be made of it"_s);
    }

    void aCancelledLayoutLeavesASimpleOne() {
        Pane p("gpt2-tiny");
        p.pane.cancelLayout();
        QVERIFY(!p.pane.layoutRunning());
        QCOMPARE(p.layouts.count(), 1);
        QVERIFY(p.pictures(recordOf("gpt2-tiny"), GraphKind::joint));
        QVERIFY(p.note().contains(u"cancelled"_s));
        p.pane.cancelLayout();  // nothing is running
        QCOMPARE(p.layouts.count(), 1);
    }

    // --- groups ---

    void groupsOpenAndCloseAndThatCanBeUndone() {
        Pane p("gpt2-tiny");
        QVERIFY(p.settle());
        const auto boxes = [&] { return p.pane.view()->nodeItemCount(); };
        const std::size_t all = boxes();
        QCOMPARE(p.pane.viewState(), ViewState());  // small: everything in view
        const auto whole = p.pane.wholeGraph();
        const int block = whole->groups->byKey(u"blocks.0"_s);
        Q_EMIT p.pane.view()->groupToggled(block, false);
        QVERIFY(p.settle());
        const std::size_t closed = boxes();
        QVERIFY(closed < all);
        QVERIFY(p.pane.viewState().collapsed.contains(u"blocks.0"_s));
        QCOMPARE(p.pane.undoStack()->undoText(), u"close blocks.0"_s);
        p.pane.undoStack()->undo();
        QVERIFY(p.settle());
        QCOMPARE(boxes(), all);
        p.pane.undoStack()->redo();
        QVERIFY(p.settle());
        QCOMPARE(boxes(), closed);
    }

    /// A double click on the previous picture, while that of another record is made.
    void aPictureThatIsReplacedIsNotToggled() {
        Pane p("gpt2-tiny");
        QVERIFY(p.settle());
        p.pane.setRecord(recordOf("mlp"));
        Q_EMIT p.pane.view()->groupToggled(1, false);
        QVERIFY(p.settle());
        QCOMPARE(p.pane.undoStack()->count(), 0);
    }

    void fittingADeepGraphClosesModules() {
        Pane p("gpt2-deep");
        QVERIFY(p.settle());
        p.pane.changeView(u"open all"_s, {});
        QVERIFY(p.settle());
        const std::size_t all = p.pane.view()->nodeItemCount();
        p.pane.fitAll();
        QVERIFY(p.settle());
        const GraphView* view = p.pane.view();
        QVERIFY(view->transform().m11() > 0.3);  // titles are readable
        const QRect picture = view->mapFromScene(view->layout()->bounds).boundingRect();
        QVERIFY(view->viewport()->rect().adjusted(-2, -2, 2, 2).contains(picture));
        p.pane.undoStack()->undo();
        QVERIFY(p.settle());
        QCOMPARE(view->nodeItemCount(), all);
    }

    void fittingASmallGraphLeavesItsModulesOpen() {
        Pane p("gpt2-tiny");
        QVERIFY(p.settle());
        p.pane.fitAll();
        QVERIFY(!p.pane.layoutRunning());
        QCOMPARE(p.pane.viewState(), ViewState());
        QCOMPARE(p.pane.undoStack()->count(), 0);
    }

    void closedGroupsStayClosedElsewhere() {
        Pane p("gpt2-tiny");
        QVERIFY(p.settle());
        p.pane.changeView(u"close"_s, collapsedTo(*p.pane.wholeGraph()->groups, 1));
        QVERIFY(p.settle());
        const std::size_t closed = p.pane.view()->nodeItemCount();
        p.choose(GraphKind::forward);
        QVERIFY(p.settle());
        QVERIFY(p.pictures(recordOf("gpt2-tiny"), GraphKind::forward));
        for (const auto& pass : recordOf("gpt2-tiny")->passes)
            for (const auto& [kind, graph] : pass.graphs)
                if (kind == GraphKind::joint) {
                    p.pane.showGraph(kind, graph);
                    QVERIFY(p.settle());
                    QVERIFY(p.pane.view()->nodeItemCount() <= closed + 4);
                }
    }

    void aWhatIfIsMarkedOnClosedGroups() {
        Pane p("gpt2-tiny");
        QVERIFY(p.settle());
        p.pane.changeView(u"close"_s, collapsedTo(*p.pane.wholeGraph()->groups, 1));
        QVERIFY(p.settle());
        const auto record = recordOf("gpt2-tiny");
        auto nothing = std::make_shared<Partition>(*record->partition);
        nothing->saved.clear();
        nothing->recomputed.clear();
        nothing->decisions.clear();
        const GraphLayout* layout = p.pane.view()->layout();
        p.pane.setPartition(nothing, record->partition);
        QCOMPARE(p.pane.view()->layout(), layout);
        int marked = 0;
        for (const auto& node : p.pane.view()->graph()->nodes)
            marked += node.group >= 0 && node.placement.change.endsWith(u" changed"_s) ? 1 : 0;
        QVERIFY(marked > 0);
    }

    void aClickOnTheCanvasIsPassedOn() {
        Pane p("mlp");
        QVERIFY(p.settle());
        QSignalSpy chosen(&p.pane, &GraphPane::nodeSelected);
        GraphView* view = p.pane.view();
        view->fitAll();
        const int relu = boxNamed(*view->graph(), "relu");
        const QPointF centre = view->layout()->boxes[static_cast<std::size_t>(relu)].center();
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->mapFromScene(centre));
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.first().first().toInt(), view->graph()->nodes[static_cast<std::size_t>(relu)].id);
    }
};

AOTSCOPE_TEST(TestGraphPane)

}  // namespace aotscope::test::graph_pane_test

#include "test_graph_pane.moc"
