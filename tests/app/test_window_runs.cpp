// The list of runs: nothing that was found is lost, whatever option is changed, and every step can be undone.

#include "app/session_steps.h"
#include "support/scratch.h"

#include <QSpinBox>
#include <QTabBar>
#include <QToolButton>

namespace aotscope::test::window_runs_test {
namespace {

struct Runs : Driver {
    const std::vector<std::shared_ptr<Run>>& all() const { return window.runs().all(); }
    int shown() const { return window.runs().shown()->number; }
    const TableContent& rows() const { return table("runTable")->content(); }
    QString cell(std::size_t row, const char* title) const {
        const auto column = std::ranges::find(rows().columns, QString::fromUtf8(title), &TableContent::Column::title);
        if (column == rows().columns.end()) qFatal("no column '%s'", title);
        return rows().rows.at(row).cells.at(static_cast<std::size_t>(column - rows().columns.begin())).text;
    }
    void chooseRow(int row) const { table("runTable")->view()->selectRow(row); }
    void press(const char* button) const { QTest::mouseClick(find<QToolButton>(button), Qt::LeftButton); }
    bool act(const char* action) {
        trigger(action);
        return settle();
    }
    bool choose(PartitionAlgorithm algorithm) {
        choosePartition(algorithm);
        return settle();
    }
    bool budget(double value) {
        window.whatIf()->change({.memoryBudget = value}, u"budget"_s, false);
        return settle();
    }
};

}  // namespace

class TestWindowRuns : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    /// Times and check of the first run come back with it, and the options with both.
    void resultsSurviveAnOption() {
        Runs d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.act("actionCheck"));
        d.window.time();
        QVERIFY(d.settle());
        const auto first = d.window.session();
        const double median = d.window.timing()->compiledForwardMs.median;
        QVERIFY(d.choose(PartitionAlgorithm::defaultPartition));
        QCOMPARE(d.all().size(), 2U);
        QCOMPARE(d.shown(), 2);
        QVERIFY(!d.window.timing());
        QVERIFY2(d.cell(1, "Changed").contains(u"default"_s), qPrintable(d.cell(1, "Changed")));
        const auto* tabs = d.find<QTabBar>("graphTabs");  // not cut off, with room beside them
        for (const auto* scroll : tabs->findChildren<QToolButton*>()) QVERIFY(!scroll->isVisible());
        QVERIFY(d.find<QToolButton>("runsButton")->isVisible());
        QCOMPARE(d.find<QToolButton>("runsButton")->text(), u"Run 2 of 2"_s);
        d.chooseRow(0);
        d.press("showRun");
        QVERIFY(d.settle());
        QCOMPARE(d.window.session(), first);
        QCOMPARE(d.window.timing()->compiledForwardMs.median, median);
        QCOMPARE(d.find<QComboBox>("partition")->currentText(), q(name(PartitionAlgorithm::minCut)));
        QVERIFY(d.table("timingTable")->view()->model()->rowCount() > 0);
        QVERIFY(d.table("checkTable")->view()->model()->rowCount() > 0);
        QCOMPARE(d.cell(0, "Check"), u"equal"_s);
    }

    /// The options lead back to the run that has them.
    void theSameOptionsAreTheSameRun() {
        Runs d;
        QVERIFY(d.openSample("mlp"));
        const auto first = d.window.session();
        QVERIFY(d.choose(PartitionAlgorithm::defaultPartition));
        QVERIFY(d.choose(PartitionAlgorithm::minCut));
        QCOMPARE(d.window.session(), first);
        QCOMPARE(d.all().size(), 2U);
        const int problems = d.problems()->count();  // said once for each run
        QVERIFY(d.choose(PartitionAlgorithm::defaultPartition));
        QVERIFY(d.choose(PartitionAlgorithm::minCut));
        QCOMPARE(d.problems()->count(), problems);
        d.window.run();  // asked for: compiled again, in place of it
        QVERIFY(d.settle());
        QVERIFY(d.window.session() != first);
        QCOMPARE(d.all().size(), 2U);
    }

    /// Undo walks over options, overrides and Apply alike, and Redo back.
    void everythingIsUndone() {
        Runs d;
        QVERIFY(d.openSample("mlp"));
        const auto state = [&] {
            const auto notCompiled = d.window.whatIf()->notCompiled();
            return u"%1 %2 %3"_s.arg(d.shown())
                .arg(d.window.whatIf()->shown().options.memoryBudget)
                .arg(notCompiled != nullptr);
        };
        QStringList states{state()};
        const auto step = [&](bool done) {
            states << state();
            return done;
        };
        QVERIFY(step(d.choose(PartitionAlgorithm::defaultPartition)));
        QVERIFY(step(d.choose(PartitionAlgorithm::minCut)));
        QVERIFY(step(d.budget(0.4)));
        QVERIFY(step(d.budget(0)));
        QVERIFY(step(d.act("actionApply")));
        QVERIFY(step(d.budget(1)));
        const auto redone = states;
        for (qsizetype i = states.size() - 2; i >= 0; --i) {
            QVERIFY2(d.find<QAction>("actionUndo")->isEnabled(), qPrintable(QString::number(i)));
            QVERIFY(d.act("actionUndo"));
            QCOMPARE(state(), states[i]);
        }
        QVERIFY(!d.find<QAction>("actionUndo")->isEnabled());
        for (qsizetype i = 1; i < redone.size(); ++i) {
            QVERIFY(d.act("actionRedo"));
            QCOMPARE(state(), redone[i]);
        }
    }

    /// The earlier run is the baseline: less memory is a minus.
    void runsAreCompared() {
        Runs d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.budget(0));
        QVERIFY(d.act("actionApply"));
        QCOMPARE(d.shown(), 2);
        d.chooseRow(0);
        d.press("compareRuns");
        QVERIFY(d.settle());
        QVERIFY(d.window.compare()->comparing());
        const TableContent& differences = d.window.compare()->panel()->left()->content();
        QStringList titles;
        for (const auto& column : differences.columns) titles << column.title;
        QVERIFY2(titles.join(u'|').contains(u"Run 1|Run 2"_s), qPrintable(titles.join(u'|')));
        const auto row = std::ranges::find_if(
            differences.rows, [](const auto& r) { return r.cells[0].text.contains(u"saved"_s, Qt::CaseInsensitive); });
        QVERIFY(row != differences.rows.end());
        QVERIFY2(row->cells.back().text.startsWith(u'−'), qPrintable(row->cells.back().text));
    }

    void runsAreMeasuredAndRemoved() {
        Runs d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.choose(PartitionAlgorithm::defaultPartition));
        d.chooseRow(0);
        d.press("measureRuns");
        QVERIFY(d.settle());
        QVERIFY(d.all().front()->results.timed);
        QVERIFY(!d.window.timing());
        QVERIFY(!d.cell(0, "Forward").isEmpty());
        d.chooseRow(0);
        d.press("removeRuns");
        QCOMPARE(d.all().size(), 1U);
        QCOMPARE(d.shown(), 2);
        QVERIFY(d.act("actionUndo"));  // the run is gone, nothing else is
        QCOMPARE(d.shown(), 2);
    }

    /// A session file has the list. A run without graphs is compiled again when it is shown.
    void theListIsSaved() {
        const QString file = isolation_.folder().at(u"runs.aotscope"_s);
        QStringList changed;
        {
            Runs d;
            QVERIFY(d.openSample("mlp"));
            d.window.time();
            QVERIFY(d.settle());
            d.find<QSpinBox>("trainSteps")->setValue(2);
            d.window.training()->start();
            QVERIFY(d.settle());
            QVERIFY(d.choose(PartitionAlgorithm::defaultPartition));
            QVERIFY(d.act("actionCheck"));
            for (std::size_t row = 0; row < 2; ++row) changed << d.cell(row, "Changed") + d.cell(row, "Saved");
            QVERIFY(saveSession(d, file));
        }
        Runs d;
        QVERIFY2(d.open(file), qPrintable(d.lastProblem()));
        QCOMPARE(d.all().size(), 2U);
        QCOMPARE(d.shown(), 2);
        QVERIFY(!d.all().front()->session);
        for (std::size_t row = 0; row < 2; ++row) QCOMPARE(d.cell(row, "Changed") + d.cell(row, "Saved"), changed[row]);
        QVERIFY(d.act("actionPreviousRun"));
        QCOMPARE(d.shown(), 1);
        QVERIFY2(d.window.timing(), qPrintable(d.lastProblem()));
        QCOMPARE(d.window.training()->result().steps.size(), std::size_t{2});
        QCOMPARE(d.find<QComboBox>("partition")->currentText(), q(name(PartitionAlgorithm::minCut)));
        QVERIFY(d.act("actionUndo"));
        QCOMPARE(d.shown(), 2);
        QCOMPARE(d.cell(1, "Check"), u"equal"_s);
    }

    /// Every model keeps its runs, results, options, view and undo while another one is shown.
    void modelsStayOpenInTabs() {
        Runs d;
        QVERIFY(d.openSample("mlp"));
        const auto* tabs = d.find<QTabBar>("models");
        QVERIFY(!tabs->isVisible());
        d.window.time();
        QVERIFY(d.settle());
        QVERIFY(d.choose(PartitionAlgorithm::defaultPartition));
        d.chooseTab(GraphKind::backward);
        QVERIFY(d.settle());
        const auto mlp = d.window.session();
        QVERIFY(d.openSample("sincos"));
        QVERIFY(tabs->isVisible());
        QCOMPARE(tabs->count(), 2);
        QCOMPARE(d.all().size(), 1U);
        QVERIFY(!d.find<QAction>("actionUndo")->isEnabled());
        QVERIFY(d.find<QComboBox>("partition")->currentText() != q(name(PartitionAlgorithm::defaultPartition)));
        QVERIFY(d.act("actionNextModel"));
        QCOMPARE(d.window.session(), mlp);
        QCOMPARE(d.all().size(), 2U);
        QCOMPARE(d.pane()->kind(), GraphKind::backward);
        QCOMPARE(d.find<QComboBox>("partition")->currentText(), q(name(PartitionAlgorithm::defaultPartition)));
        QVERIFY(d.act("actionUndo"));
        QVERIFY(d.window.timing());
        QVERIFY(d.act("actionCloseModel"));  // with unsaved times
        QMessageBox* question = d.find<QMessageBox>("unsavedChanges");
        QVERIFY(question);
        question->button(QMessageBox::Discard)->click();
        QVERIFY(d.settle());
        QTRY_COMPARE(d.modelName(), u"sincos"_s);
        QCOMPARE(tabs->count(), 1);
        QVERIFY(!d.find<QAction>("actionCloseModel")->isEnabled());
    }

    /// Closing the window asks about every model with unsaved changes.
    void closingAsksForEachModel() {
        Runs d;
        QVERIFY(d.openSample("mlp"));
        d.window.time();
        QVERIFY(d.settle());
        QVERIFY(d.openSample("sincos"));
        QVERIFY(!d.window.isWindowModified());
        d.window.close();
        QVERIFY(d.window.isVisible());
        QCOMPARE(d.modelName(), u"mlp"_s);
        d.find<QMessageBox>("unsavedChanges")->button(QMessageBox::Discard)->click();
        QTRY_VERIFY(!d.window.isVisible());
    }

    /// The scratch pad makes a run of a text only when something was found about it.
    void typingMakesNoRuns() {
        Runs d;
        QVERIFY(d.open(u"script:def f(x):\n    return x.sin()\n"_s));
        QVERIFY(d.open(u"script:def f(x):\n    return x.cos()\n"_s));
        QCOMPARE(d.all().size(), 1U);
        QVERIFY(d.act("actionCheck"));
        QVERIFY(d.open(u"script:def f(x):\n    return x.tan()\n"_s));
        QCOMPARE(d.all().size(), 2U);
        QVERIFY(d.act("actionUndo"));
        QCOMPARE(d.shown(), 1);
    }
};

AOTSCOPE_TEST(TestWindowRuns)

}  // namespace aotscope::test::window_runs_test

#include "test_window_runs.moc"
