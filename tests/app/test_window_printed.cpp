// Graphs printed by Python in the window: shown like others, by compilation, and not executed.

#include "app/window_driver.h"
#include "controllers/what_if/what_if_answers.h"
#include "ir/printer.h"
#include "models/tables/variant_tables.h"
#include "panels/pass_panel.h"
#include "panels/trace_panel.h"
#include "passes/repartition.h"
#include "record/partition_figures.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <QComboBox>
#include <QDropEvent>

namespace aotscope::test::window_printed_test {
namespace {

QString printed(const char* name) {
    return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/") + QLatin1String(name);
}

}  // namespace

class TestWindowPrinted : public QObject {
    Q_OBJECT

    Isolation isolation_;
    std::unique_ptr<Driver> driver_;
    Scratch scratch_;

    static QStringList choices(const Driver& d, const char* name) {
        QStringList list;
        const auto* box = d.find<QComboBox>(name);
        for (int i = 0; i < box->count(); ++i) list << box->itemText(i);
        return list;
    }

private Q_SLOTS:
    void init() {
        isolation_.forget();
        if (qstrcmp(QTest::currentTestFunction(), "everyFileIsDrawn") != 0) driver_.reset();
    }
    void cleanupTestCase() { driver_.reset(); }

    void theGraphsAreShown() {
        Driver d;
        QVERIFY(d.open(printed("batch_norm.log")));
        QCOMPARE(d.problems()->count(), 0);
        QCOMPARE(d.modelName(), u"batch_norm"_s);
        QVERIFY(d.pane()->kind() == GraphKind::joint);
        QVERIFY(d.canvas()->nodeItemCount() > 0);
        for (const auto kind : {GraphKind::forward, GraphKind::backward}) {
            d.chooseTab(kind);
            QVERIFY(d.settle());
            QVERIFY(d.pane()->kind() == kind);
            QCOMPARE(d.canvas()->nodeItemCount(), d.canvas()->graph()->nodes.size());
        }
        QCOMPARE(d.table("inputsTable")->view()->model()->rowCount(), 9);
        QVERIFY(d.table("valuesTable")->view()->model()->rowCount() > 0);
    }

    void everyFileIsDrawn_data() {
        const auto row = columns<QString>("file");
        const QDir folder(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed"));
        for (const QString& file : folder.entryList({u"*.txt"_s, u"*.trace"_s})) row(file, folder.filePath(file));
    }
    void everyFileIsDrawn() {
        QFETCH(QString, file);
        if (!driver_) driver_ = std::make_unique<Driver>();  // one window for all of them
        Driver& d = *driver_;
        d.problems()->clear();
        QVERIFY(d.open(file));
        QVERIFY2(d.problems()->count() == 0, qPrintable(d.lastProblem()));
        for (const auto& [kind, graph] : d.record()->graphs) {
            d.chooseTab(kind);
            QVERIFY(d.settle());
            QVERIFY(d.canvas()->nodeItemCount() > 0);
        }
    }

    /// The page of TORCH_TRACE: the reasons of compilations, and links to their graphs.
    void aTraceTellsWhatHappened() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("perspective-passes");
        auto* tabs = d.find<QTabWidget>("tables");
        auto* panel = d.window.findChild<TracePanel*>();
        QVERIFY(!tabs->isTabVisible(tabs->indexOf(panel)));
        QVERIFY(d.open(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/story.log")));
        QVERIFY(tabs->isTabVisible(tabs->indexOf(panel)));
        QVERIFY(panel->isVisible());
        QVERIFY(panel->height() > d.window.height() / 2);
        QVERIFY2(panel->note()->text().contains(u"graph break"_s), qPrintable(panel->note()->text()));
        QVERIFY(!panel->note()->text().contains(u'\n'));  // all of it is readable
        const auto follow = [&](const QString& address) {
            Q_EMIT panel->page()->anchorClicked(QUrl(address));
            QVERIFY(d.settle());
        };
        // All of the log comes first.
        QCOMPARE(panel->selected(), QString());
        const QString all = panel->page()->toPlainText();
        for (const char* part : {"story.log", "Graph breaks, by place", "torch._dynamo.graph_break()",
                                 "Recompilations, by reason", "size mismatch", "Compile time, longest first", "Caches"})
            QVERIFY2(all.contains(QLatin1String(part)), qPrintable(all));
        follow(u"about:0/0"_s);
        QCOMPARE(panel->tree()->currentIndex().data().toString(), u"0/0"_s);
        QVERIFY2(panel->page()->toPlainText().contains(u"User-inserted graph break"_s),
                 qPrintable(panel->page()->toPlainText()));
        QVERIFY(panel->times()->picture().bars.size() > 3);
        follow(u"log:"_s);
        QCOMPARE(panel->page()->toPlainText(), all);
        QVERIFY(panel->selected().isEmpty() && panel->times()->picture().bars.empty());
        // A recompilation is below the first compilation of its function.
        const auto second = panel->tree()->model()->match(panel->tree()->model()->index(0, 0), Qt::DisplayRole,
                                                          u"3/1"_s, 1, Qt::MatchRecursive);
        QCOMPARE(second.size(), 1);
        QCOMPARE(second[0].parent().data().toString(), u"3/0"_s);
        panel->tree()->setCurrentIndex(second[0]);
        QVERIFY(d.settle());
        QVERIFY(panel->page()->toPlainText().contains(u"size mismatch at index 0. expected 3, actual 4"_s));
        follow(u"open:3/1"_s);
        QCOMPARE(d.modelName(), u"story [3/1]"_s);
        QVERIFY(panel->height() < d.window.height() / 2);  // the graph has the room again
        QCOMPARE(panel->tree()->currentIndex().data().toString(), u"3/1"_s);
        QVERIFY(panel->page()->toPlainText().contains(u"Its graphs are shown"_s));
        follow(u"about:0/0"_s);
        const QString folded = panel->page()->toPlainText();
        QVERIFY2(folded.contains(u"13 conditions"_s) && !folded.contains(u"___check_obj_id"_s), qPrintable(folded));
        follow(u"guards:"_s);
        QVERIFY(panel->page()->toPlainText().contains(u"___check_obj_id(G['torch']._dynamo.graph_break"_s));
        follow(u"guards:"_s);
        QCOMPARE(panel->page()->toPlainText(), folded);
        follow(u"about:3/0"_s);
        QCOMPARE(panel->tree()->currentIndex().data().toString(), u"3/0"_s);
        const auto& compile = *d.window.session()->trace()->find("3/0");
        follow(u"record:%1"_s.arg(compile.records.back().line));
        QVERIFY(panel->page()->toPlainText().startsWith(u"Back to 3/0"_s));
        follow(u"source:12:/nowhere/model.py"_s);
        QVERIFY(panel->note()->text().contains(u"not on this machine"_s));
        follow(u"saved:"_s);
        QVERIFY(d.table("valuesTable")->isVisible());
        QCOMPARE(d.problems()->count(), 0);
        QVERIFY(d.openSample("mlp"));
        d.trigger("perspective-passes");
        QVERIFY(!tabs->isTabVisible(tabs->indexOf(panel)));
    }

    /// Links and sentences, whatever the name of a file.
    void sourcesWithOddNamesAreFound() {
        const QString folder = u"a b %2F %2 %25 #1 ü&amp;"_s, name = u"mo:del?.py"_s;
        QVERIFY(QDir(scratch_.path()).mkpath(folder));
        const QString source = scratch_.write(folder + u'/' + name, "one\ntwo\n");
        QFile story(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/story.log"));
        QVERIFY(story.open(QIODevice::ReadOnly));
        const QByteArray log = story.readAll();
        const QString elsewhere = u"/nowhere/"_s + folder + u'/' + name;
        for (const QString& file : {source, elsewhere}) {
            Driver d;
            QVERIFY(d.open(scratch_.write(u"odd.log"_s, QByteArray(log).replace("/src/model.py", file.toUtf8()))));
            d.trigger("perspective-passes");
            d.trigger("show-traceLog");
            auto* panel = d.window.findChild<TracePanel*>();
            Q_EMIT panel->page()->anchorClicked(QUrl(u"about:0/0"_s));
            QVERIFY(d.settle());
            const QRegularExpression link(u"<a href=\"(source:18[^\"]*)\""_s);
            const auto found = link.match(panel->page()->toHtml());
            QVERIFY2(found.hasMatch(), qPrintable(panel->page()->toHtml()));
            Q_EMIT panel->page()->anchorClicked(QUrl(found.captured(1)));
            QVERIFY(d.settle());
            const auto* view = d.window.findChild<QDialog*>(u"sourceView"_s);
            QCOMPARE(view != nullptr, file == source);
            const QString shown = view ? view->windowTitle() : panel->note()->text();
            const QString behind = view ? u", line 18"_s : u"' is not on this machine: line 18 cannot be shown"_s;
            const QString expected = (view ? QString() : u"'"_s) + file + behind;
            QCOMPARE(shown, expected);
        }
    }

    void aGrowingTraceIsRead() {
        QFile file(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/story.log"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        const QString path = scratch_.write(u"growing.log"_s, whole.left(whole.size() / 3));
        Driver d;
        QVERIFY(d.open(path));
        const auto* panel = d.window.findChild<TracePanel*>();
        const int before = panel->tree()->model()->rowCount();
        QVERIFY(panel->note()->text().contains(u"the log ends within"_s));
        Q_EMIT panel->page()->anchorClicked(QUrl(u"about:0/0"_s));
        QVERIFY(d.settle());
        QFile more(path);
        QVERIFY(more.open(QIODevice::Append));
        more.write(whole.mid(whole.size() / 3));
        more.close();
        QTRY_VERIFY_WITH_TIMEOUT(panel->tree()->model()->rowCount() > before, kPatience);
        QVERIFY(d.settle());
        QVERIFY(!panel->note()->text().contains(u"the log ends within"_s));
        QCOMPARE(panel->selected(), u"0/0"_s);
        Q_EMIT panel->page()->anchorClicked(QUrl(u"about:0/0#5"_s));
        QVERIFY(d.settle());
        QVERIFY(panel->page()->toPlainText().contains(u"autograd_function_apply"_s));
        Q_EMIT panel->page()->anchorClicked(QUrl(u"open:0/0#5"_s));  // its graphs are new, too
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"growing [0/0#5]"_s);
    }

    void ranksInOneFolderAreCompared() {
        Driver d;
        QVERIFY(d.open(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/rank_1.log")));
        const auto* panel = d.window.findChild<TracePanel*>();
        QVERIFY2(panel->note()->text().contains(u"The 2 ranks in this folder differ first in compilation 1/0"_s),
                 qPrintable(panel->note()->text()));
        const auto rows = panel->tree()->model()->match(panel->tree()->model()->index(0, 0), Qt::DisplayRole, u"1/0"_s,
                                                        1, Qt::MatchRecursive);
        QCOMPARE(rows.size(), 1);
        panel->tree()->setCurrentIndex(rows[0]);
        QVERIFY(d.settle());
        const QString page = panel->page()->toPlainText();
        QVERIFY2(page.contains(u"Other ranks"_s), qPrintable(page));
        QVERIFY2(page.contains(u"collective 2 of group"_s), qPrintable(page));
    }

    void aFolderOfRanksOpens() {
        const Scratch folder;
        for (const char* rank : {"rank_0.log", "rank_1.log"})
            folder.write(QLatin1String(rank), contentOf(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/") +
                                                        QLatin1String(rank)));
        Driver d;
        QVERIFY(d.open(folder.path()));
        const auto* panel = d.window.findChild<TracePanel*>();
        QVERIFY2(panel->note()->text().contains(u"The 2 ranks in this folder differ"_s),
                 qPrintable(panel->note()->text()));
        QCOMPARE(d.modelName().left(6), u"rank_0"_s);
        // The graphs of the other rank.
        auto* compilations = d.find<QComboBox>("compile");
        const int other = compilations->findText(u"1:"_s, Qt::MatchStartsWith);
        QVERIFY(other >= 0);
        const QString id = compilations->itemText(other).mid(2);
        compilations->setCurrentIndex(other);
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"rank_1 [%1]"_s.arg(id));
        QCOMPARE(panel->selected(), id);
        Q_EMIT panel->page()->anchorClicked(QUrl(u"open:1/0"_s));
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"rank_1 [1/0]"_s);
    }

    void aLogWithoutGraphsShowsItsCompilations() {
        QFile file(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/story.log"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        const auto graph = whole.lastIndexOf('\n', whole.indexOf("{\"dynamo_output_graph\"")) + 1;
        const QString path = scratch_.write(u"early.log"_s, whole.left(graph));
        Driver d;
        QVERIFY(d.open(path));
        QCOMPARE(d.modelName(), u"early"_s);
        QVERIFY(d.lastProblem().contains(u"log without graphs"_s));
        const auto* panel = d.window.findChild<TracePanel*>();
        QCOMPARE(panel->selected(), u"0/0"_s);
        d.trigger("actionRun");
        QVERIFY(d.settle());
        // It grows, and then has graphs.
        QFile more(path);
        QVERIFY(more.open(QIODevice::Append));
        more.write(whole.mid(graph));
        more.close();
        QTRY_VERIFY_WITH_TIMEOUT(panel->tree()->model()->rowCount() > 1, kPatience);
        QVERIFY(d.settle());
        Q_EMIT panel->page()->anchorClicked(QUrl(u"open:3/1"_s));
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"early [3/1]"_s);
    }

    void compilationsAreChosen() {
        Driver d;
        QVERIFY(d.open(printed("several.log")));
        auto* box = d.find<QComboBox>("compile");
        QVERIFY(box->isVisible());
        QCOMPARE(choices(d, "compile"), QStringList({u"0/0"_s, u"1/0"_s, u"1/1"_s, u"2/0"_s}));
        QCOMPARE(d.modelName(), u"several [0/0]"_s);
        box->setCurrentText(u"2/0"_s);
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"several [2/0]"_s);
        QVERIFY(d.pane()->kind() == GraphKind::inference);
        QTest::keyClick(&d.window, Qt::Key_BracketLeft);
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"several [1/1]"_s);
        QTest::keyClick(&d.window, Qt::Key_BracketRight);
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"several [2/0]"_s);
        QTest::keyClick(&d.window, Qt::Key_BracketRight);
        QCOMPARE(d.modelName(), u"several [2/0]"_s);
    }

    void everyCompilationHasItsInputs() {
        Driver d;
        QVERIFY(d.open(printed("several.log")));
        const auto given = [&] { return std::holds_alternative<InputSpec>(d.window.session()->options().inputs); };
        auto* box = d.find<QComboBox>("compile");
        box->setCurrentText(u"2/0"_s);
        QVERIFY(d.settle());
        QVERIFY(!given());
        d.trigger("actionInputs");
        auto* dialog = d.window.findChild<QDialog*>(u"inputSpecDialog"_s);
        QVERIFY(dialog);
        dialog->accept();
        QVERIFY(d.settle());
        QVERIFY(given());
        box->setCurrentText(u"0/0"_s);
        QVERIFY(d.settle());
        QVERIFY(!given());
        box->setCurrentText(u"2/0"_s);
        QVERIFY(d.settle());
        QVERIFY(given());
        QVERIFY(d.open(printed("several.log")));  // the same compilation again
        QVERIFY(given());
    }

    /// Sizes without values: nothing can be computed from them.
    void commandsThatRunTheModelSayWhyNot() {
        Driver d;
        QVERIFY(d.open(printed("dynamic.log")));
        for (const char* name : {"actionCheck", "actionBisect", "actionTime", "actionInputs"}) {
            QVERIFY(!d.find<QAction>(name)->isEnabled());
            QVERIFY(d.find<QAction>(name)->toolTip().contains(u"is not known"_s));
        }
        for (const char* name : {"mode", "compiler"}) {
            QVERIFY(!d.find<QComboBox>(name)->isEnabled());
            QVERIFY(d.find<QComboBox>(name)->toolTip().contains(u"cannot be recompiled"_s));
        }
        QVERIFY(!d.find<QComboBox>("compile")->isVisible());
        QVERIFY(d.openSample("mlp"));
        for (const char* name : {"actionCheck", "actionBisect", "actionTime", "actionInputs"}) {
            QVERIFY(d.find<QAction>(name)->isEnabled());
            QVERIFY(!d.find<QAction>(name)->toolTip().contains(u"is not known"_s));
        }
        QVERIFY(d.find<QComboBox>("mode")->isEnabled());
        QVERIFY(!choices(d, "partition").contains(u"as printed"_s));
    }

    void printedGraphsRun() {
        Driver d;
        QVERIFY(d.open(printed("mlp.log")));
        QVERIFY(!d.find<QComboBox>("mode")->isEnabled());
        QVERIFY(d.find<QComboBox>("compiler")->isEnabled());
        d.find<QComboBox>("compiler")->setCurrentText(u"fused"_s);
        QVERIFY(d.settle());
        for (const char* name : {"actionCheck", "actionTime"}) {
            QVERIFY2(d.find<QAction>(name)->isEnabled(), qPrintable(d.find<QAction>(name)->toolTip()));
            d.trigger(name);
            QVERIFY(d.settle());
            QVERIFY2(d.problems()->count() == 0, qPrintable(d.lastProblem()));
        }
        QVERIFY(d.find<CheckBadge>("verdict")->state() == CheckBadge::State::equal);
        QVERIFY(d.record()->partition->algorithm == PartitionAlgorithm::printed);
    }

    /// A joint graph alone, stepped through in its own picture.
    void aJointGraphIsSteppedThrough() {
        Driver d;
        QVERIFY(d.open(scratch_.write(u"joint.txt"_s,
                                      "graph joint\n"
                                      "  %primals_1 : f32[4] = placeholder(parameter)\n"
                                      "  %tangents_1 : f32[4] = placeholder(tangent)\n"
                                      "  %sin : f32[4] = aten.sin.default(%primals_1)\n"
                                      "  %cos : f32[4] = aten.cos.default(%primals_1)\n"
                                      "  %mul : f32[4] = aten.mul.Tensor(%tangents_1, %cos)\n"
                                      "  return [%sin : output, %mul : gradient]\n")));
        d.trigger("actionDebug");
        QVERIFY(d.settle());
        QVERIFY2(d.problems()->count() == 0, qPrintable(d.lastProblem()));
        QVERIFY(d.pane()->kind() == GraphKind::joint);
    }

    void aPrintedJointGraphIsRepartitioned() {
        Driver d;
        QVERIFY(d.open(printed("mlp.log")));
        auto* box = d.find<QComboBox>("partition");
        QCOMPARE(box->currentText(), u"as printed"_s);
        const auto saved = d.record()->partition->saved.size();
        d.choosePartition(PartitionAlgorithm::minCut);
        QVERIFY(d.settle());
        QVERIFY(d.record()->partition->algorithm == PartitionAlgorithm::minCut);
        QCOMPARE(d.record()->partition->saved.size(), saved);
        box->setCurrentText(u"as printed"_s);
        QVERIFY(d.settle());
        QVERIFY(d.record()->partition->algorithm == PartitionAlgorithm::printed);
    }

    /// A what-if of printed graphs takes the place of Python's own partition.
    void aWhatIfIsApplied() {
        Driver d;
        QVERIFY(d.open(printed("batch_norm.log")));
        PartitionOptions options{.memoryBudget = 0};
        d.window.whatIf()->change(options, u"budget"_s, false);
        QVERIFY(d.settle());
        QVERIFY(d.find<QAction>("actionApply")->isEnabled());
        const auto preview = d.window.whatIf()->shown().partition;
        const PartitionFigures promised = figuresOf(*preview);
        d.trigger("actionApply");
        QVERIFY(d.settle());
        QVERIFY(d.record()->partition->algorithm == PartitionAlgorithm::minCut);
        QCOMPARE(printGraph(*d.record()->partition->backward), printGraph(*preview->backward));
        QCOMPARE(figuresText(figuresOf(*d.record()->partition)), figuresText(promised));
        QCOMPARE(d.window.session()->options().partition.memoryBudget, 0.0);
        QCOMPARE(d.find<QComboBox>("partition")->currentText(), u"min-cut"_s);
        QVERIFY(!d.find<QAction>("actionApply")->isEnabled());
    }

    /// Splitting the joint graph again changes figures by itself, so other choices are compared with that.
    void otherChoicesAreComparedWithTheSamePartitioner() {
        const auto record = Session::open({.model = printed("attention.log").toStdString()}, {})->record();
        const auto whatIf = whatIfOn(*record, {});
        const FunctionMetadata& metadata = record->knownMetadata();
        const NodeTimes times(assumedGpu());
        const PartitionOptions held = optionsOn(*record, {});
        const Variant shown = makeVariant(u"Compiled"_s, held, record->partition, metadata, times);
        const Variant baseline = makeVariant({}, held, whatIf->partition(held), metadata, times);
        int asked = 0;
        for (const SavedValue& value : record->partition->saved) {
            if (value.kind != SavedValue::Kind::activation) continue;
            PartitionOptions wanted = held;
            wanted.cut.mustRecompute.insert(value.node);
            QString line;
            const QString refused = errorOf([&] {
                line = differenceLine(baseline, makeVariant({}, wanted, whatIf->partition(wanted), metadata, times));
            });
            if (!refused.isEmpty()) continue;
            const QStringList said = alternativesTo(*whatIf, shown, value.node, metadata, times, {});
            QVERIFY(said.first().startsWith(u"Compared with"_s));
            QVERIFY2(said.last() == u"If recomputed: "_s + line ||
                         said.last().endsWith(u"no change in bytes or operations"_s),
                     qPrintable(said.join(u'\n') + u'\n' + line));
            ++asked;
        }
        QVERIFY(asked > 0);
    }

    void aDroppedFolderIsARunWithPasses() {
        Driver d;
        QVERIFY(d.drop(printed("passes/step") + u'/'));
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"step"_s);
        QVERIFY2(d.problems()->count() == 0, qPrintable(d.lastProblem()));
        auto* passes = d.window.findChild<PassPanel*>();
        QCOMPARE(passes->view()->model()->rowCount(), 5);
        passes->setCurrentPass(1);
        QVERIFY(d.settle());
        // A ladder: the backward of a layer beside its forward.
        QVERIFY(d.pane()->kind() == GraphKind::joint);
        QVERIFY(d.canvas()->graph()->isLadder());
        QVERIFY(!d.pane()->graph()->findByName("clone_default"));
        passes->step(1);
        QVERIFY(d.settle());
        QVERIFY(d.pane()->graph()->findByName("clone_default"));
        QCOMPARE(d.table("changesTable")->view()->model()->rowCount(), 11);
        d.trigger("actionDifference");
        QVERIFY(d.settle());
        QVERIFY(d.find<QAction>("actionOpenFolder")->isEnabled());
        // The results of the backward are returned from its half.
        for (const DrawnNode& node : d.canvas()->graph()->nodes)
            if (node.kind == DrawnNode::Kind::output && node.title.startsWith(u"new "_s))
                QVERIFY(node.stage == Stage::backward);
        // Breakpoints at these passes.
        BreakpointController* breakpoints = d.window.navigation()->breakpoints();
        BreakpointPanel* panel = breakpoints->panel();
        panel->when()->setCurrentIndex(0);
        QVERIFY(panel->pass()->findText(u"partition"_s) >= 0);
        panel->pass()->setCurrentText(u"add_clones"_s);
        panel->add();
        QCOMPARE(panel->breakpoints().size(), std::size_t{1});
        d.trigger("actionRun");
        QVERIFY(QTest::qWaitFor([&] { return breakpoints->stop() != nullptr; }, kPatience));
        QVERIFY2(panel->state().contains(u"add_clones"_s), qPrintable(panel->state()));
        d.trigger("actionContinue");
        QVERIFY(d.settle());
        QCOMPARE(passes->view()->model()->rowCount(), 5);
    }

    void aDamagedFileIsAProblem() {
        const QString path = scratch_.write(u"cut.log"_s, contentOf(printed("mlp.log")).left(4000));
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.open(path));
        QCOMPARE(d.problems()->count(), 1);
        QVERIFY2(d.lastProblem().contains(u"cut.log, line "_s), qPrintable(d.lastProblem()));
        QVERIFY(d.modelName() == "mlp"_L1);
    }
};

AOTSCOPE_TEST(TestWindowPrinted)

}  // namespace aotscope::test::window_printed_test

#include "test_window_printed.moc"
