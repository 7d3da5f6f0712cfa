// Mutation and aliasing in the window: linked runtime steps, the colouring, kept mutations, numbers of compilations.

#include "app/window_driver.h"
#include "export/export_graph.h"
#include "support/test_program.h"
#include "window/compile_status.h"

#include <QCheckBox>

#include <set>

namespace aotscope::test::window_metadata_test {

class TestWindowMetadata : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    // --- runtime steps ---

    void aRuntimeStepSelectsItsNode() {
        Driver d;
        QVERIFY(d.openSample("aliasing"));
        const auto& rows = d.table("runtimeTable")->content().rows;
        auto* view = d.table("runtimeTable")->view();
        int linked = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].node == kNoNode) continue;
            ++linked;
            view->selectRow(static_cast<int>(i));
            const Node* node = d.record()->graph(GraphKind::joint)->findById(rows[i].node);
            QVERIFY2(d.inspector().contains(u'%' + q(node->name())), node->name().c_str());
            QVERIFY(d.inspector().contains(u"Runtime wrapper"_s));
            const auto marked = d.markedIn("runtimeTable");
            QVERIFY(std::find(marked.begin(), marked.end(), rows[i].node) != marked.end());
        }
        QCOMPARE(linked, 6);  // every step but the graph itself
    }

    void aNodeSelectsItsRuntimeSteps() {
        Driver d;
        QVERIFY(d.openSample("aliasing"));
        const NodeId output = d.table("outputsTable")->content().rows[2].node;
        d.clickNode(output);
        QCOMPARE(d.markedIn("runtimeTable"), std::vector<NodeId>{output});
        QCOMPARE(d.markedIn("outputsTable"), std::vector<NodeId>{output});
        QVERIFY(d.inspector().contains(u"Returned as output 2"_s));
    }

    /// The row of an argument that overlaps another one links to their synthetic base.
    void rowsOfOverlappingInputsLeadToTheirBase() {
        Driver d;
        QVERIFY(d.openSample("aliasing"));
        d.table("inputsTable")->view()->selectRow(3);
        QVERIFY(d.inspector().startsWith(u"base of left, right"_s));
        QCOMPARE(d.markedIn("runtimeTable").size(), std::size_t{2});  // it is passed, and written back
    }

    // --- colours ---

    void theColouringIsRemembered() {
        {
            Driver d;
            QVERIFY(d.openSample("aliasing"));
            QVERIFY(QTest::qWaitForWindowActive(&d.window, kPatience));
            QCOMPARE(d.canvas()->paintOptions().colourBy, ColourBy::stage);
            QTest::keyClick(&d.window, Qt::Key_M);
            QCOMPARE(d.canvas()->paintOptions().colourBy, ColourBy::mutation);
            QVERIFY(d.find<QAction>("colourBy-mutation")->isChecked());
            QVERIFY(d.pane()->findChild<Legend*>()->accessibleName().contains(u"shared memory: x, output 0"_s));
        }
        Driver d;
        QCOMPARE(d.canvas()->paintOptions().colourBy, ColourBy::mutation);
        QVERIFY(d.find<QAction>("colourBy-mutation")->isChecked());
        QVERIFY(QTest::qWaitForWindowActive(&d.window, kPatience));
        QTest::keyClick(&d.window, Qt::Key_O);
        QCOMPARE(d.canvas()->paintOptions().colourBy, ColourBy::family);
        QTest::keyClick(&d.window, Qt::Key_P);
        QCOMPARE(d.canvas()->paintOptions().colourBy, ColourBy::stage);
    }

    void noKeyHasTwoMeanings() {
        Driver d;
        std::set<QString> keys;
        for (const QAction* action : d.window.findChildren<QAction*>()) {
            if (action->shortcut().isEmpty() || action->shortcutContext() != Qt::WindowShortcut) continue;
            QVERIFY2(keys.insert(action->shortcut().toString()).second, qPrintable(action->shortcut().toString()));
        }
        QVERIFY(keys.contains(u"M"_s));
    }

    void exportedPicturesHaveTheColours() {
        const Scratch scratch;
        Driver d;
        QVERIFY(d.openSample("aliasing"));
        d.trigger("colourBy-mutation");
        const QString file = scratch.at(u"g.svg"_s);
        d.window.exportTo(file);
        QVERIFY(contentOf(file).contains("shared memory: x, output 0"));
        // The same without a window, on the command line.
        const auto graph = d.record()->graph(GraphKind::joint);
        const QString other = scratch.at(u"h.svg"_s);
        exportGraph({*graph, GraphKind::joint, *d.record()}, "svg", other.toStdString(), {"mutation"});
        QVERIFY(contentOf(other).contains("shared memory: x, output 0"));
        exportGraph({*graph, GraphKind::joint, *d.record()}, "svg", other.toStdString());
        QVERIFY(!contentOf(other).contains("one memory"));
        QCOMPARE(errorOf([&] {
                     exportGraph({*graph, GraphKind::joint, *d.record()}, "txt", "g.txt", {"mutation"});
                 }),
                 u"--colour mutation: a txt file has no colours; write svg, png, pdf or html"_s);
        QCOMPARE(d.problems()->count(), 0);
    }

    // --- options ---

    void keptMutationsCompileAgainAndAreRemembered() {
        {
            Driver d;
            QVERIFY(d.openSample("mutations"));
            QVERIFY(!d.record()->metadata->keepInputMutations);
            d.find<QCheckBox>("keepInputMutations")->setChecked(true);
            QVERIFY(d.window.busy());
            QVERIFY(d.settle());
            QVERIFY(d.record()->metadata->keepInputMutations);
            QCOMPARE(d.record()->metadata->inputsMutatedInGraph().size(), std::size_t{1});
            QVERIFY(d.table("inputsTable")->content().summary.contains(u"1 in the graph"_s));
            d.trigger("actionCheck");
            QVERIFY(d.settle());
            QVERIFY2(d.verdict().startsWith(u"Equal to eager"_s), qPrintable(d.verdict()));
        }
        Driver d;
        QVERIFY(d.find<QCheckBox>("keepInputMutations")->isChecked());
        d.window.setOptions({});  // the command line's default
        QVERIFY(d.find<QCheckBox>("keepInputMutations")->isChecked());
        QVERIFY(d.openSample("mutations"));
        QVERIFY(d.window.session()->options().keepInputMutations);
    }

    /// Kernels of the backward are coloured once it is compiled.
    void nodesOfOneKernelHaveOneColour() {
        Driver d;
        d.window.setOptions(
            {.compilers = {
                 .forward = "counting", .settings = {{"counting.together", "2"}}, .plugins = {PLUGIN_COUNTING}}});
        QVERIFY(d.openSample("sincos"));
        const auto coloured = [&d] {
            std::map<QString, int> kernels;
            for (const DrawnNode& node : d.canvas()->graph()->nodes)
                if (!node.value.isEmpty()) ++kernels[node.value.section(u':', 1).trimmed()];
            return kernels;
        };
        d.chooseTab(GraphKind::forward);
        d.trigger("colourBy-kernel");
        QVERIFY(d.settle());
        QCOMPARE(coloured(), (std::map<QString, int>{{u"forward 1 (2 nodes)"_s, 2}}));
        d.clickNode(d.node(GraphKind::forward, "sin")->id());
        QVERIFY(d.inspector().contains(u"fused into one kernel with %cos"_s));
        d.chooseTab(GraphKind::backward);
        QVERIFY(d.settle());
        QVERIFY(coloured().empty());
        d.trigger("actionCheck");
        QVERIFY(d.settle());
        QVERIFY(coloured().contains(u"backward 1 (2 nodes)"_s));
    }

    void chosenCompilerCompilesAgainAndIsRemembered() {
        const auto choose = [](const Driver& d, const char* name, const char* graph = "compiler") {
            auto* box = d.find<QComboBox>(graph);
            const int item = box->findText(QString::fromUtf8(name));
            box->setCurrentIndex(item);
            Q_EMIT box->activated(item);
        };
        const auto used = [](const Driver& d) { return q(d.record()->compilers.at(1).used); };
        {
            Driver d;
            d.window.setOptions({.compilers = {.backward = "interpreter"}});
            QVERIFY(d.openSample("sincos"));
            choose(d, "torchscript");
            QVERIFY(d.settle());
            QCOMPARE(q(d.record()->compilers.at(0).used), u"torchscript"_s);
            QCOMPARE(used(d), u"interpreter"_s);  // that of the backward was chosen, too
            choose(d, "same as forward (torchscript)", "backwardCompiler");
            QVERIFY(d.settle());
            QCOMPARE(used(d), u"torchscript"_s);
            d.trigger("actionCheck");
            QVERIFY(d.settle());
            QVERIFY2(d.verdict().startsWith(u"Equal to eager"_s), qPrintable(d.verdict()));
            // A plug-in, and a library that is not one.
            auto* shown = d.window.findChild<OptionsPopover*>();
            const OptionEntry& compiler = optionNamed("--compiler");
            QVERIFY(errorOf([&] { shown->takeFile(compiler, QStringLiteral(PLUGIN_OLD)); }).contains(u"old"_s));
            shown->takeFile(compiler, QStringLiteral(PLUGIN_BROKEN));
            QVERIFY(d.settle());
            QCOMPARE(used(d), u"broken"_s);
            QVERIFY(d.lastProblem().contains(u"for broken cannot compile it: no such instruction"_s));
            const int problems = d.problems()->count();
            d.trigger("actionCheck");  // the backward, now that it is needed
            QVERIFY(d.settle());
            QCOMPARE(d.problems()->count(), problems + 1);
            QVERIFY2(d.verdict().startsWith(u"Equal to eager"_s), qPrintable(d.verdict()));
            QVERIFY(d.problems()->item(problems)->text().contains(u"the backward graph, for broken"_s));
        }
        Driver d;
        QCOMPARE(d.find<QComboBox>("compiler")->currentText(), u"broken"_s);
        choose(d, "interpreter");
    }

    // --- numbers ---

    void titleAndStatusNameTheGraph() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QCOMPARE(d.window.windowTitle(), u"mlp[*] - joint graph - aotscope"_s);
        QVERIFY(d.summary().startsWith(q(graphTitle(*d.record(), GraphKind::joint))));
        d.chooseTab(GraphKind::backward);
        QVERIFY(d.settle());
        QCOMPARE(d.window.windowTitle(), u"mlp[*] - backward graph - aotscope"_s);
        QVERIFY(d.summary().startsWith(q(graphTitle(*d.record(), GraphKind::backward))));
    }

    void thePassesNameTheirGraphs() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        auto* list = d.find<QTableView>("passList");
        for (std::size_t row = 0; row < d.record()->passes.size(); ++row) {
            const QString tip = list->model()->index(static_cast<int>(row), 0).data(Qt::ToolTipRole).toString();
            for (const auto& [kind, graph] : d.record()->passes[row].graphs)
                QVERIFY2(tip.contains(q(graphTitle(*d.record(), kind))), qPrintable(tip));
        }
    }

    void theStatusNamesTheCompilation() {
        CompileStatus status;
        status.begin(u"Compiling m"_s, u"m"_s, 0);
        QCOMPARE(status.enter(u"load"_s), u"Compiling m: load"_s);
        QCOMPARE(status.enter(u"forward-traced"_s),
                 u"Compiling m, compilation 0, traced forward graph: forward-traced"_s);
        QCOMPARE(status.enter(u"joint"_s), u"Compiling m, compilation 0, joint graph: joint"_s);
        QCOMPARE(status.enter(u"dead-code"_s), u"Compiling m, compilation 0, joint graph: dead-code"_s);
        status.begin(u"Checking"_s, u"m"_s, 1);
        QCOMPARE(status.enter(u"eager run"_s), u"Checking: eager run"_s);
        for (const char* number : {"1", "2"}) {
            QVERIFY(status.enter(u"forward-traced"_s).contains(u"compilation "_s + QString::fromUtf8(number)));
            QVERIFY(status.enter(u"inference"_s).contains(u"inference graph"_s));
            QVERIFY(status.enter(u"compile"_s).contains(u"inference graph"_s));
        }
    }
};

AOTSCOPE_TEST(TestWindowMetadata)

}  // namespace aotscope::test::window_metadata_test

#include "test_window_metadata.moc"
