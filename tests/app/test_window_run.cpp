// What the window says about a run: the verdict of the check, the problems, the log, the text of the shown graph.

#include "app/session_steps.h"
#include "ir/printer.h"
#include "support/file.h"
#include "support/scratch.h"
#include "support/test_program.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QLineEdit>
#include <QSplitter>
#include <QStatusBar>
#include <QToolButton>

namespace aotscope::test::window_run_test {
namespace {

struct Runs : Driver {
    QString details() const { return find<QLabel>("checkDetails")->text(); }
    QToolButton* counter() const { return find<QToolButton>("problemCounter"); }
    LogPanel* log() const { return find<LogPanel>("log"); }
    GraphTextPanel* text() const { return find<GraphTextPanel>("graphText"); }
    bool textIsOf(const std::shared_ptr<const Graph>& graph) const {
        return QTest::qWaitFor([&] { return text()->model().lines() && text()->model().lines()->graph == graph; },
                               kPatience);
    }
};

}  // namespace

class TestWindowRun : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    // --- the check ---

    void comparedValuesAreListed() {
        Runs d;
        QVERIFY(d.verdict().contains(u"F6"_s));
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.verdict().contains(u"F6"_s));
        d.trigger("actionCheck");
        QVERIFY(d.settle());
        const auto& rows = d.table("checkTable")->content().rows;
        QCOMPARE(rows.size(), std::size_t{1 + 6});  // the output, and a gradient for each parameter
        QVERIFY(d.details().contains(u"eager"_s));
        for (const auto& row : rows) {
            QCOMPARE(row.cells[6].text, u"equal"_s);
            QVERIFY2(d.record()->graph(GraphKind::joint)->findById(row.node), qPrintable(row.cells[0].text));
        }
        d.chooseRowOf("checkTable", rows.back().node);
        QCOMPARE(d.window.selection().node(), rows.back().node);
    }

    void recompilationsAreShownBeside() {
        Runs d;
        d.window.setOptions({.dynamic = {{"x.0", 2, 64}}, .checkSizes = {{{"x.0", 100}}}});
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionCheck");
        QVERIFY(d.settle());
        QVERIFY2(d.details().contains(u"Compare lists the compilations"_s), qPrintable(d.details()));
        TablePanel* list = d.table("comparedRuns");
        QCOMPARE(list->content().rows.size(), std::size_t{2});
        QCOMPARE(list->content().rows[1].cells[0].text, u"1"_s);
        QCOMPARE(list->content().rows[1].cells[1].text, u"s0 (x.size(0)) is 100, expected at most 64"_s);
        auto* compare = d.window.findChild<CompareController*>();
        const auto activate = [&](int row) { Q_EMIT list->view()->activated(list->view()->model()->index(row, 0)); };
        activate(0);
        QVERIFY(!compare->comparing());
        activate(1);
        QVERIFY(d.settle());
        QVERIFY(compare->comparing());
        QVERIFY(list->content().columns[2].title.contains(u"compilation 1"_s));
        d.trigger("actionTimeBoth");
        QVERIFY2(d.lastProblem().contains(u"compilation 1 was made for other inputs"_s), qPrintable(d.lastProblem()));
        d.trigger("actionStopComparing");
        QVERIFY(d.settle());
        QCOMPARE(list->content().rows.size(), std::size_t{2});
    }

    /// With another option or another model, the owner of the verdict is named.
    void anEarlierVerdictSaysSo() {
        Runs d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionCheck");
        QVERIFY(d.settle());
        const QString verdict = d.verdict();
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        QCOMPARE(d.verdict(), verdict);
        QVERIFY(d.details().contains(u"earlier run"_s));
        for (const auto& row : d.table("checkTable")->content().rows) QCOMPARE(row.node, kNoNode);
        d.trigger("actionCheck");
        QVERIFY(d.settle());
        QVERIFY(!d.details().contains(u"earlier run"_s));
        QVERIFY(d.openSample("sincos"));
        QVERIFY(d.verdict().contains(u"F6"_s));
    }

    void verdictsAreSaved() {
        const QString file = scratch_.at(u"checked.aotscope"_s);
        QString verdict;
        std::size_t rows = 0;
        {
            Runs d;
            QVERIFY(d.openSample("mutations"));
            d.trigger("actionCheck");
            QVERIFY(d.settle());
            verdict = d.verdict();
            rows = d.table("checkTable")->content().rows.size();
            QVERIFY(saveSession(d, file));
        }
        Runs d;
        QVERIFY(d.open(file));
        QCOMPARE(d.verdict(), verdict);
        QCOMPARE(d.table("checkTable")->content().rows.size(), rows);
        QVERIFY(rows > 1);
        QCOMPARE(d.problems()->count(), 0);
    }

    // --- times ---

    void thePageOfTimesIsDividedAsBefore() {
        const auto timed = [](const Runs& d) {
            d.window.findChild<TimingController*>()->panel()->resize(1000, 300);
            return d.find<QSplitter>("timeSplitter");
        };
        int before = 0, after = 0;
        {
            Runs d;
            QVERIFY(d.openSample("mlp"));
            d.trigger("actionTime");
            QVERIFY(d.settle());
            QSplitter* splitter = timed(d);
            before = splitter->sizes()[1];
            QWidget* handle = splitter->handle(1);
            const QPoint middle = handle->rect().center();
            QTest::mousePress(handle, Qt::LeftButton, {}, middle);
            QTest::mouseMove(handle, middle - QPoint(120, 0));
            QTest::mouseRelease(handle, Qt::LeftButton, {}, middle - QPoint(120, 0));
            after = splitter->sizes()[1];
            QVERIFY(after > before + 50);
        }
        Runs d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionTime");
        QVERIFY(d.settle());
        QVERIFY(qAbs(timed(d)->sizes()[1] - after) < qAbs(timed(d)->sizes()[1] - before));
    }

    // --- problems ---

    void problemsAreCounted() {
        Runs d;
        QVERIFY(!d.counter()->isVisible());
        QVERIFY(!d.open(u"/no/such/model.pt2"_s) || d.problems()->count() == 1);
        QVERIFY(d.counter()->isVisible());
        QCOMPARE(d.counter()->text(), u"1 problem"_s);
        QVERIFY(d.problemsAreInFront());
        QVERIFY(d.lastProblem().endsWith(d.window.statusBar()->currentMessage()));
        QTest::keyClick(d.problems(), Qt::Key_Escape);
        QVERIFY(!d.problemsAreInFront());
        d.trigger("actionProblems");
        QVERIFY(d.problemsAreInFront());
        QCOMPARE(d.window.focusWidget(), d.problems());
        d.find<QToolButton>("copyProblems")->click();
        QCOMPARE(QApplication::clipboard()->text(), d.lastProblem());
        d.counter()->click();
        QVERIFY(!d.problemsAreInFront());
        d.counter()->click();
        d.find<QToolButton>("clearProblems")->click();
        QVERIFY(!d.problemsAreInFront() && !d.counter()->isVisible());
    }

    /// In every size of the window, above the status bar.
    void theListStaysAboveTheStatusBar() {
        Runs d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionProblems");
        const auto* drawer = d.find<QFrame>("problemDrawer");
        for (const QSize size : {QSize(1400, 900), QSize(900, 620)}) {
            d.window.resize(size);
            QVERIFY(QTest::qWaitFor(
                [&] { return drawer->geometry().bottom() + 1 == d.window.statusBar()->geometry().top(); }, kPatience));
            QVERIFY(d.window.rect().contains(drawer->geometry()));
        }
    }

    /// A problem of a page that no longer exists, or of a later version.
    void aSessionOfAnUnknownPageIsOpened() {
        const QString file = scratch_.at(u"page.aotscope"_s);
        {
            Runs d;
            QVERIFY(d.openSample("sincos"));
            QVERIFY(saveSession(d, file));
        }
        SessionContent content = contentOfFile(file);
        const std::size_t at = content.view.find("\"table\":\"");
        QVERIFY(at != std::string::npos);
        content.view.replace(at, content.view.find('"', at + 9) + 1 - at, "\"table\":\"problemsPage\"");
        writeSessionFile(file.toStdString(), content);
        Runs d;
        QVERIFY(d.open(file));
        QCOMPARE(d.modelName(), u"sincos"_s);
        QCOMPARE(d.problems()->count(), 0);
    }

    // --- the scratch pad ---

    void theScratchPadCompilesWhatIsTyped() {
        Runs d;
        auto* pad = d.window.findChild<ScratchPanel*>();
        QVERIFY(!pad->isVisible() && !d.window.session());
        d.trigger("actionScratch");
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"f"_s);
        QVERIFY(pad->isVisible() && d.node(GraphKind::joint, "cos"));
        QVERIFY2(pad->message().contains(u"joint "_s), qPrintable(pad->message()));
        QVERIFY(d.recent().isEmpty());
        const auto typed = [&](const char* code, const std::function<bool()>& seen) {
            pad->code()->setPlainText(QString::fromUtf8(code));
            return QTest::qWaitFor(seen, kPatience) && d.settle();
        };
        const auto says = [&](const char* what) {
            return [pad, what] { return pad->message().contains(QString::fromUtf8(what)); };
        };
        pad->inputs()->clear();
        QVERIFY(typed("def g(x):\n    return x.tanh()", [&] { return d.modelName() == "g"_L1; }));
        QVERIFY(d.node(GraphKind::joint, "tanh"));
        QCOMPARE(d.problems()->count(), 0);
        // Errors are shown below the text, and the last graphs stay.
        QVERIFY2(typed("def g(x):\n    y = x.tanh()\n    return z", says("(line 3)")), qPrintable(pad->message()));
        QCOMPARE(pad->markedLine(), 3);
        QVERIFY(d.node(GraphKind::joint, "tanh"));
        QCOMPARE(d.problems()->count(), 0);
        pad->inputs()->setText(u"f32[3"_s);
        QVERIFY2(typed("def g(x):\n    return x.exp()", says("inputs, column 6: ")), qPrintable(pad->message()));
        QCOMPARE(pad->markedLine(), 0);
    }

    void theScratchPadIndents() {
        Runs d;
        d.find<QPushButton>("startScratch")->click();
        QVERIFY(d.settle());
        auto* pad = d.window.findChild<ScratchPanel*>();
        QVERIFY(pad->isVisible());
        pad->code()->clear();
        for (const char* line : {"def h(x):", "y = x.sin()", "return y"}) {
            QTest::keyClicks(pad->code(), QString::fromUtf8(line));
            QTest::keyClick(pad->code(), Qt::Key_Return);
        }
        QCOMPARE(pad->code()->toPlainText(), u"def h(x):\n    y = x.sin()\n    return y\n    "_s);
        QVERIFY(QTest::qWaitFor([&] { return d.modelName() == "h"_L1; }, kPatience) && d.settle());
    }

    void linesAndNodesOfTheScratchPadAreLitTogether() {
        Runs d;
        QVERIFY(QTest::qWaitForWindowActive(&d.window, kPatience));
        d.trigger("actionScratch");
        QVERIFY(d.settle());
        auto* pad = d.window.findChild<ScratchPanel*>();
        pad->code()->setPlainText(u"def h(x):\n    y = x.sin()\n    return y.cos()"_s);
        QVERIFY(QTest::qWaitFor([&] { return d.modelName() == "h"_L1; }, kPatience) && d.settle());
        d.clickNode(d.node(GraphKind::joint, "cos")->id());
        QCOMPARE(pad->litLine(), 3);
        pad->code()->setFocus();
        QTest::keyClick(pad->code(), Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(pad->litLine(), 3);  // nothing stands in the first line
        QTest::keyClick(pad->code(), Qt::Key_Down);
        const Selection& selection = d.window.selection();
        QVERIFY(selection.object() && selection.object()->source->line == 2);
        QCOMPARE(selection.others().size(), std::size_t{2});  // its gradient: cos, mul
        QCOMPARE(pad->litLine(), 2);
        QTest::keyClicks(pad->code(), u" "_s);
        QVERIFY(d.settle());
        QCOMPARE(selection.others().size(), std::size_t{2});
    }

    void presetsAndFilesOfTheScratchPad() {
        Runs d;
        QVERIFY(d.openSample("sincos"));
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        d.trigger("actionScratch");
        QVERIFY(d.settle());
        QVERIFY(d.window.session()->options().partition.algorithm == PartitionAlgorithm::minCut);  // as it was started
        auto* pad = d.window.findChild<ScratchPanel*>();
        pad->presets()->setCurrentIndex(pad->presets()->findText(u"MLP of the notebook"_s));
        Q_EMIT pad->presets()->activated(pad->presets()->currentIndex());
        QVERIFY(QTest::qWaitFor([&] { return d.modelName() == "mlp"_L1; }, kPatience) && d.settle());
        auto* scratch = d.window.findChild<ScratchController*>();
        const QString module = scratch_.at(u"pad.pt"_s), text = scratch_.at(u"pad.py"_s);
        scratch->saveTo(module);
        scratch->saveTo(text);
        QVERIFY(contentOf(text).startsWith("def mlp(weight, bias, x):\n"));
        QVERIFY(contentOf(module).startsWith("PK"));
        scratch->saveTo(scratch_.at(u"none/pad.pt"_s));
        QCOMPARE(d.problems()->count(), 1);
        const QString session = scratch_.at(u"pad.aotscope"_s);
        QVERIFY(saveSession(d, session));
        Runs again;
        QVERIFY(again.open(session));
        again.trigger("actionCheck");
        QVERIFY(again.settle());
        QVERIFY2(again.verdict().startsWith(u"Equal to eager"_s), qPrintable(again.verdict()));
    }

    // --- the smallest graph ---

    void aGraphIsMinified() {
        Runs d;
        QVERIFY(!d.find<QAction>("actionMinify")->isEnabled());
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionMinify");
        auto* dialog = d.find<MinifyDialog>("minifyDialog");
        QVERIFY(dialog && dialog->isVisible() && !dialog->saveButton()->isEnabled());
        dialog->condition()->setEditText(u"op:relu"_s);
        dialog->startButton()->click();
        QVERIFY(dialog->running() && d.settle());
        QVERIFY2(dialog->text().contains(u"aten.relu.default(%"_s), qPrintable(dialog->message()));
        QVERIFY(dialog->text().contains(u"operations  "_s));
        QVERIFY(dialog->saveButton()->isEnabled() && !dialog->running());
        auto* minify = d.window.findChild<MinifyController*>();
        minify->saveTo(scratch_.at(u"small.py"_s));
        for (const char* name : {"small.py", "small.pt", "small.txt"})
            QVERIFY(QFile::exists(scratch_.at(QString::fromUtf8(name))));
        dialog->condition()->setEditText(u"nan"_s);
        dialog->startButton()->click();
        QVERIFY(d.settle());
        QVERIFY2(dialog->message().contains(u"no graph shows 'nan'"_s), qPrintable(dialog->message()));
        QVERIFY(!dialog->saveButton()->isEnabled());
        dialog->close();
    }

    // --- the log ---

    void theLogSaysWhatThePassesDid() {
        Runs d;
        QVERIFY(!d.find<QDockWidget>("logDock")->isVisible());
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionLog");
        QVERIFY(d.find<QDockWidget>("logDock")->isVisible());
        d.trigger("actionCheck");
        QVERIFY(d.settle());
        const QString info = d.log()->text();
        QVERIFY2(info.contains(u"\tinfo\tpartition\t"_s), qPrintable(info));
        QVERIFY2(info.contains(u"check: equal to eager"_s), qPrintable(info));
        QVERIFY(!info.contains(u"\tdebug\t"_s));
        d.log()->level()->setCurrentIndex(static_cast<int>(LogLevel::debug));
        QVERIFY(d.log()->text().contains(u"\tdebug\t"_s));
        const QString file = scratch_.at(u"run.log"_s);
        d.window.findChild<LogController*>()->saveTo(file);
        QCOMPARE(q(readFile(file.toStdString(), 1 << 20)), d.log()->text());
        d.window.findChild<LogController*>()->saveTo(scratch_.at(u"none/run.log"_s));
        QCOMPARE(d.counter()->text(), u"1 problem"_s);
    }

    // --- the text of the graph ---

    void theTextFollowsTheCanvas() {
        Runs d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionGraphText");
        QVERIFY(d.text()->isVisible() && d.textIsOf(d.pane()->graph()));
        const Node* relu = d.node(GraphKind::joint, "relu");
        d.clickNode(relu->id());
        const auto marked = [&] { return d.text()->view()->currentIndex().data().toString(); };
        QVERIFY2(marked().contains(q(printNode(*relu))), qPrintable(marked()));
        d.chooseTab(GraphKind::forward);
        QVERIFY(d.settle() && d.textIsOf(d.record()->graph(GraphKind::forward)));
        QVERIFY(marked().contains(u"%relu : "_s));
        d.text()->find()->setText(u"relu_1 :"_s);
        QTest::keyClick(d.text()->find(), Qt::Key_Return);
        QCOMPARE(d.window.selection().node(), d.node(GraphKind::forward, "relu_1")->id());
        QCOMPARE(d.canvas()->selectedNode(), d.node(GraphKind::forward, "relu_1")->id());
    }
};

AOTSCOPE_TEST(TestWindowRun)

}  // namespace aotscope::test::window_run_test

#include "test_window_run.moc"
