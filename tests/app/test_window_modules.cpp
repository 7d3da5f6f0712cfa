// The left side of the window: the tree of modules, and the pass of the shown graph.

#include "app/window_driver.h"
#include "record/pass_graphs.h"
#include "record/results/graph_times.h"
#include "support/test_program.h"

namespace aotscope::test::window_modules_test {
namespace {

/// A window with a sample whose tree is ready.
struct Tree : Driver {
    explicit Tree(const char* sample) { opened = openSample(sample) && tree() != nullptr; }
    ModulePanel* panel() const { return window.findChild<ModulePanel*>(); }
    const ModuleTree* tree() const { return panel()->model().tree().get(); }
    int module(const char* path) const { return tree()->byPath(QString::fromUtf8(path)); }
    QModelIndex row(int module) const {
        const auto* model = panel()->view()->model();
        for (const QModelIndex& found :
             model->match(model->index(0, 0), Qt::DisplayRole, QString(), -1, Qt::MatchContains | Qt::MatchRecursive))
            if (found.data(ModuleTreeModel::FilterRole) ==
                panel()->model().indexOf(module).data(ModuleTreeModel::FilterRole))
                return found;
        return {};
    }
    /// As a user does, with the keyboard or a click.
    bool choose(const char* path) {
        panel()->view()->setCurrentIndex(row(module(path)));
        return settle();
    }
    bool act(const char* action) {
        trigger(action);
        return settle();
    }
    std::set<NodeId> selected() const {
        const Selection& selection = window.selection();
        std::set<NodeId> nodes(selection.others().begin(), selection.others().end());
        if (selection.node() != kNoNode) nodes.insert(selection.node());
        return nodes;
    }
    std::size_t operations() const { return tree()->modules.front().operations; }
    /// Clicks the box of a closed module, if there is one.
    bool clickClosed(const char* path) {
        canvas()->fitAll();
        const DrawnGraph& graph = *canvas()->graph();
        for (std::size_t box = 0; box < graph.nodes.size(); ++box) {
            const int group = graph.nodes[box].group;
            if (group < 0 || (*graph.groups)[group].path != QString::fromUtf8(path)) continue;
            QTest::mouseClick(canvas()->viewport(), Qt::LeftButton, {},
                              canvas()->mapFromScene(canvas()->layout()->boxes[box].center()));
            QCoreApplication::processEvents();
            return true;
        }
        return false;
    }
    bool isClosed(const char* path) const { return pane()->viewState().collapsed.contains(QString::fromUtf8(path)); }

    bool opened;
};

}  // namespace

class TestWindowModules : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    // --- modules ---

    void choosingAModuleSelectsItsOperations() {
        Tree d("gpt2-tiny");
        QVERIFY(d.opened && d.choose("blocks.1"));
        std::set<NodeId> expected;
        for (const Node* node : d.pane()->graph()->nodes())
            if (node->kind() == NodeKind::call &&
                d.tree()->isWithin(d.tree()->moduleOf.at(node->id()), d.module("blocks.1")))
                expected.insert(node->id());
        QVERIFY(expected.size() > 10);
        QVERIFY(d.selected() == expected);
        QCOMPARE(d.panel()->current(), d.module("blocks.1"));  // the first of them is in a submodule
    }

    void choosingAModuleShowsIt() {
        Tree d("resnet18");
        QVERIFY(d.opened);
        d.canvas()->resetZoom();
        for (const char* path : {"layer4.1", "conv1", "layer1.0"}) {
            QVERIFY(d.choose(path));
            const QRectF seen = d.canvas()->mapToScene(d.canvas()->viewport()->rect()).boundingRect();
            const auto& boxes = d.canvas()->graph()->indexOf;
            int inView = 0;
            for (const NodeId node : d.tree()->operationsIn(d.module(path)))
                if (const auto box = boxes.find(node); box != boxes.end())
                    inView +=
                        seen.intersects(d.canvas()->layout()->boxes[static_cast<std::size_t>(box->second)]) ? 1 : 0;
            QVERIFY2(inView > 0, path);
        }
    }

    void theWholeModelIsNoSelection() {
        Tree d("mlp");
        QVERIFY(d.opened);
        d.clickNode(d.node(GraphKind::joint, "addmm")->id());
        QVERIFY(d.panel()->current() > 0);
        d.panel()->view()->setCurrentIndex(d.row(0));
        QVERIFY(d.selected().empty());
    }

    void selectingANodeMarksItsModule() {
        Tree d("gpt2-tiny");
        QVERIFY(d.opened);
        d.panel()->collapseAll();
        for (const Node* node : d.pane()->graph()->nodes()) {
            if (!node->isCall("aten.native_layer_norm.default") && !node->isCall("aten.addmm.default")) continue;
            Q_EMIT d.pane()->nodeSelected(node->id());
            QCOMPARE(d.panel()->current(), d.tree()->moduleOf.at(node->id()));
            QVERIFY(d.panel()->view()->visualRect(d.panel()->view()->currentIndex()).isValid());
        }
        Q_EMIT d.pane()->nodeSelected(kNoNode);
        QCoreApplication::processEvents();
        QCOMPARE(d.panel()->current(), -1);
    }

    void modulesAreOpenedAndClosedInTheGraph() {
        Tree d("gpt2-tiny");
        QVERIFY(d.opened && d.choose("blocks.0") && d.act("moduleClose"));
        QVERIFY(d.isClosed("blocks.0"));
        const auto boxes = d.canvas()->nodeItemCount();
        QVERIFY(d.choose("blocks.0.c_attn") && d.act("moduleOpen"));  // and the modules around it
        QVERIFY(!d.isClosed("blocks.0") && !d.isClosed("blocks.0.c_attn"));
        QVERIFY(d.canvas()->nodeItemCount() > boxes);
        QTest::keyClick(d.panel()->view(), Qt::Key_Return);
        QVERIFY(d.settle());
        QVERIFY(d.isClosed("blocks.0.c_attn"));
        d.trigger("actionUndo");
        QVERIFY(d.settle());
        QVERIFY(!d.isClosed("blocks.0.c_attn"));
    }

    void aClosedModuleThatIsClickedIsMarked() {
        Tree d("gpt2-tiny");
        QVERIFY(d.opened && d.choose("blocks.1") && d.act("moduleClose"));
        d.panel()->mark(-1);
        QVERIFY(d.clickClosed("blocks.1"));
        QCOMPARE(d.panel()->current(), d.module("blocks.1"));
    }

    void theInspectorShowsTheModule() {
        Tree d("gpt2-tiny");
        QVERIFY(d.opened && d.choose("blocks.1") && d.act("moduleClose"));
        QVERIFY2(d.inspector().startsWith(u"blocks.1\n"_s), qPrintable(d.inspector()));
        QTest::keyClick(d.canvas(), Qt::Key_Escape);
        QVERIFY(d.settle());
        QVERIFY2(d.inspector().startsWith(u"joint graph"_s), qPrintable(d.inspector()));
        QVERIFY(d.clickClosed("blocks.1"));
        QVERIFY2(d.inspector().startsWith(u"blocks.1\n"_s), qPrintable(d.inspector()));
        d.panel()->view()->setCurrentIndex(d.row(0));
        QVERIFY2(d.inspector().startsWith(u"joint graph"_s), qPrintable(d.inspector()));
        QVERIFY(d.choose("blocks.1"));
        Q_EMIT d.pane()->nodeSelected(d.node(GraphKind::joint, "addmm")->id());
        QVERIFY2(d.inspector().startsWith(u"aten.addmm.default"_s), qPrintable(d.inspector()));
    }

    /// Also of a closed one, whose operations are not selected.
    void aModuleIsRecomputedFromTheInspector() {
        Tree d("gpt2-tiny");
        QVERIFY(d.opened && d.choose("blocks.0.c_attn") && d.act("moduleOpen") && d.act("moduleClose"));
        QTest::keyClick(d.canvas(), Qt::Key_Escape);
        QVERIFY(d.clickClosed("blocks.0.c_attn"));
        QVERIFY(d.inspector().contains(u"Recompute in Backward"_s));
        Q_EMIT d.window.findChild<InspectorPanel*>()->overrideAsked(u"actionRecompute"_s);
        QVERIFY(d.settle());
        std::set<NodeId> expected;
        for (const NodeId node : d.tree()->operationsIn(d.module("blocks.0.c_attn")))
            if (d.record()->graph(GraphKind::joint)->findById(node)->stage == Stage::forward) expected.insert(node);
        QVERIFY(!expected.empty());
        QCOMPARE(d.window.whatIf()->shown().options.cut.mustRecompute, expected);
        QVERIFY2(d.inspector().startsWith(u"blocks.0.c_attn\n"_s), qPrintable(d.inspector()));
    }

    void onlyOneModuleIsShown() {
        Tree d("gpt2-tiny");
        QVERIFY(d.opened && d.choose("blocks.1.fc") && d.act("moduleOnly"));
        const auto within = d.tree()->operationsIn(d.module("blocks.1.fc"));
        for (const auto& node : d.canvas()->graph()->nodes)
            QVERIFY(node.id == kNoNode || std::ranges::find(within, node.id) != within.end());
        QVERIFY(d.act("moduleAll"));
        QVERIFY(d.pane()->viewState().hidden.isEmpty());
    }

    void operationsAreThoseOfTheShownGraph() {
        Tree d("mlp");
        QVERIFY(d.opened);
        for (const auto& [kind, graph] : d.record()->graphs) {
            d.pane()->showKind(kind);
            QVERIFY(d.settle());
            QCOMPARE(d.operations(), graph->callCount());
        }
    }

    void aChosenModuleStaysMarkedInAnotherGraph() {
        Tree d("gpt2-tiny");
        QVERIFY(d.opened && d.choose("blocks.0.c_attn"));
        d.pane()->showKind(GraphKind::forward);
        QVERIFY(d.settle());
        QCOMPARE(d.panel()->current(), d.module("blocks.0.c_attn"));
    }

    void timesSayWhatTheyAre() {
        Tree d("mlp");
        QVERIFY(d.opened);
        const auto heading = [&] {
            return d.panel()->model().headerData(ModuleTreeModel::Column::time, Qt::Horizontal, Qt::DisplayRole);
        };
        QVERIFY(d.tree()->basis && *d.tree()->basis != TimeBasis::measured);
        QCOMPARE(heading().toString(), u"≈ Time"_s);
        QVERIFY(d.find<QLabel>("moduleNote")->isVisible());
        QVERIFY(d.act("actionTime"));
        QCOMPARE(d.tree()->basis, std::optional(TimeBasis::measured));
        QCOMPARE(heading().toString(), u"Time"_s);
        QVERIFY(!d.find<QLabel>("moduleNote")->isVisible());
        const double ms = graphMs(*d.window.timing(), false) + graphMs(*d.window.timing(), true);
        QVERIFY(std::abs(d.tree()->modules.front().ms - ms) <= 1e-6 * ms);
    }

    void whatIfChangesWhatModulesSave() {
        Tree d("mlp");
        QVERIFY(d.opened);
        QCOMPARE(d.tree()->modules.front().savedBytes, d.record()->partition->savedUniqueBytes());
        const auto savedIn = [&] { return (*d.tree())[d.module("layers.0")].savedBytes; };
        const auto before = savedIn();
        d.clickNode(d.node(GraphKind::joint, "relu")->id());
        QVERIFY(d.act("actionRecompute"));
        const auto now = d.window.whatIf()->notCompiled();
        QVERIFY(now != nullptr);
        QVERIFY(savedIn() > before);  // the operands of the recomputation
        QCOMPARE(d.tree()->modules.front().savedBytes, now->savedUniqueBytes());
        QVERIFY(d.find<QLabel>("moduleNote")->text().contains(u"What If"_s));
    }

    void anotherModelHasItsOwnTree() {
        Tree d("mlp");
        QVERIFY(d.opened && d.openSample("sincos"));
        QCOMPARE(d.operations(), d.pane()->graph()->callCount());
        QCOMPARE(d.tree()->modules.size(), std::size_t{1});
        QVERIFY(d.find<QLabel>("moduleNote")->text().contains(u"no modules"_s));
    }

    // --- passes ---

    /// Whatever is shown, and before a pass was chosen.
    void thePassOfTheShownGraphIsMarked() {
        Driver d;
        for (const char* sample : {"mlp", "aliasing"}) {
            QVERIFY(d.openSample(sample));
            for (const auto& [kind, graph] : d.record()->graphs) {
                d.pane()->showKind(kind);
                QVERIFY(d.settle());
                const int marked = d.window.findChild<PassPanel*>()->currentPass();
                QVERIFY2(marked >= 0, name(kind).data());
                const auto shown = graphAfter(*d.record(), static_cast<std::size_t>(marked), kind);
                QVERIFY2(shown && shown->graph == graph, name(kind).data());
            }
            d.trigger("actionRun");
            QVERIFY(d.settle());
            QVERIFY(d.window.findChild<PassPanel*>()->currentPass() >= 0);
        }
    }
};

AOTSCOPE_TEST(TestWindowModules)

}  // namespace aotscope::test::window_modules_test

#include "test_window_modules.moc"
