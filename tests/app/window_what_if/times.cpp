// Estimated and measured times of the shown partition, and of the graphs.

#include "test_window_what_if.h"
#include "what_if_driver.h"

#include "controllers/what_if/calibration_controller.h"
#include "record/results/graph_times.h"
#include "support/formatted.h"

#include <QMenu>
#include <QToolButton>

using namespace aotscope;
using namespace aotscope::test;

namespace {

QString graphTip(const Driver& d, const char* chart, GraphKind kind) {
    for (const TimeBar& bar : d.find<TimeChart>(chart)->picture().bars)
        if (bar.kind == TimeBar::Kind::graph && bar.graph == kind) return bar.tip;
    return {};
}

/// The tint of a box, as the legend describes it.
QString valueOf(const WhatIf& d, const char* name) { return d.box(name).value; }

}  // namespace

/// What If, Variants, Why and the estimated colours use measured times once there are any.
void TestWindowWhatIf::measuredTimesReplaceEstimatesAtOnce() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    d.trigger("colourBy-estimated");
    d.clickNode(d.savedActivation());
    QVERIFY(d.settle());
    const QString estimate = q(formatEstimate(d.controller().shown().figures.ms()));
    QVERIFY2(d.answer().contains(u"Estimated time: "_s + estimate), qPrintable(d.answer()));
    QCOMPARE(valueOf(d, "relu"), u"Estimated time: 1.0 ms, by the rates of the machine"_s);
    d.trigger("actionTime");
    QVERIFY(d.settle());
    const TimingResult& timing = *d.window.timing();
    const double ms = graphMs(timing, false) + graphMs(timing, true);
    QVERIFY2(d.answer().contains(u"Measured time: "_s + q(formatDuration(ms))), qPrintable(d.answer()));
    QVERIFY(std::abs(d.controller().shown().figures.ms() - ms) < 1e-9);
    QVERIFY(d.controller().shown().figures.basis == TimeBasis::measured);
    QVERIFY2(d.why().contains(u"from measured times"_s), qPrintable(d.why()));
    const double relu = GraphTimes(timing).stepUs(*std::ranges::find(timing.steps, "relu", &StepTime::name)) / 1000;
    QCOMPARE(valueOf(d, "relu"), u"Estimated time: "_s + q(formatDuration(relu)) + u", measured"_s);
    // Operations that have not run are estimated, from measured times.
    d.trigger("actionRecompute");
    QVERIFY(d.settle());
    QVERIFY2(d.answer().contains(u"Estimated time: "_s), qPrintable(d.answer()));
}

/// The status bar, both tables, both charts, What If, the differences and Variants show one time for each graph.
void TestWindowWhatIf::theTimeOfAGraphIsTheSameEverywhere() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    d.trigger("actionTime");
    QVERIFY(d.settle());
    for (const bool backward : {false, true}) {
        const GraphKind kind = backward ? GraphKind::backward : GraphKind::forward;
        const QString graph = q(name(kind)), time = q(formatDuration(graphMs(*d.window.timing(), backward))),
                      said = graph + u' ' + time;
        QVERIFY2(d.summary().contains(said), qPrintable(d.summary()));
        const QString steps = d.find<QLabel>("timeNote")->text();
        QVERIFY2(steps.contains(said + u" (eager"_s), qPrintable(steps));
        QCOMPARE(d.table("moduleTable")->content().rows[0].cells[backward ? 2 : 1].text, time);
        for (const char* chart : {"flameChart", "timelineChart"}) {
            const QString tip = graphTip(d, chart, kind);
            QVERIFY2(tip.startsWith(graph + u", "_s + graph + u": "_s + time + u','), qPrintable(tip));
        }
        for (const char* basis : {"estimated", "measured"}) {
            const auto& rows = d.controller().difference()->left()->content().rows;
            const QString what = graph + u", "_s + QString::fromLatin1(basis);
            const auto row = std::ranges::find_if(rows, [&](const auto& r) { return r.cells[0].text == what; });
            QVERIFY(row != rows.end());
            QCOMPARE(row->cells.back().text, time);
        }
        const TableContent& variants = d.table("runTable")->content();
        for (const QString& title : QStringList{u"Est. "_s + graph, graph.left(1).toUpper() + graph.mid(1)}) {
            const auto column = std::ranges::find(variants.columns, title, &TableContent::Column::title);
            QVERIFY2(column != variants.columns.end(), qPrintable(title));
            QCOMPARE(variants.rows[0].cells[static_cast<std::size_t>(column - variants.columns.begin())].text, time);
        }
    }
}

/// A button where estimates are shown, and a command in the menu.
void TestWindowWhatIf::theMachineIsCalibratedAgain() {
    WhatIf d;
    auto* action = d.find<QAction>("actionCalibrate");
    QVERIFY(!action->isEnabled());
    QVERIFY(d.openSample("mlp"));
    QVERIFY(action->isEnabled());
    QVERIFY(d.menu("Partition")->actions().contains(action));
    for (const QWidget* place :
         {static_cast<QWidget*>(d.controller().panel()), static_cast<QWidget*>(d.controller().variants()->pareto())}) {
        const auto buttons = place->findChildren<QToolButton*>();
        QVERIFY(std::ranges::any_of(buttons, [&](const auto* b) { return b->defaultAction() == action; }));
    }
    // Estimates follow measurements.
    MachineModel slow = chosenMachine();
    slow.overhead = 1;
    const double before = d.controller().shown().figures.ms();
    Q_EMIT d.calibration().calibrated(slow);
    QVERIFY(d.settle());
    QVERIFY(d.controller().shown().figures.ms() > 100 * before);
    QVERIFY2(d.answer().contains(u" s"_s), qPrintable(d.answer()));
    QSignalSpy calibrated(&d.calibration(), &CalibrationController::calibrated);
    action->trigger();
    QVERIFY(d.calibration().busy() && d.settle());
    QCOMPARE(calibrated.count(), 1);
    QVERIFY(d.controller().shown().figures.ms() < 100 * before);
}

/// A button where inner memory and times are shown. What is measured is used at once, everywhere.
void TestWindowWhatIf::operationsAreMeasuredAlone() {
    WhatIf d;
    auto* action = d.find<QAction>("actionMeasureOperations");
    QVERIFY(!action->isEnabled());
    QVERIFY(d.openSample("mlp"));
    QVERIFY(action->isEnabled());
    QVERIFY(d.menu("Partition")->actions().contains(action));
    for (const QWidget* place :
         {static_cast<QWidget*>(d.controller().panel()), static_cast<QWidget*>(d.controller().memory())}) {
        const auto buttons = place->findChildren<QToolButton*>();
        QVERIFY(std::ranges::any_of(buttons, [&](const auto* b) { return b->defaultAction() == action; }));
    }
    const auto before = d.record();
    const auto shown = d.controller().shown().partition;
    d.selectNode("relu");
    action->trigger();
    QVERIFY(d.settle());
    QVERIFY(d.record() != before && d.record()->graphs == before->graphs);
    QVERIFY(!d.record()->knownCosts().known.empty());
    QCOMPARE(d.controller().shown().partition, shown);
    // On a busy machine, they are measured on fewer threads than a run would have.
    const auto& msBy = d.controller().shown().figures.msBy;
    QVERIFY(msBy[0] + msBy[1] > 0);
    const auto memory = liveMemory(*d.record());
    QCOMPARE(d.controller().shown().memory->peakBytes, memory->peakBytes);
    QVERIFY(memory->operationsBy[0] + memory->operationsBy[1] > 0);
    d.trigger("colourBy-estimated");
    QVERIFY(d.settle());
    const QString tip = d.box("relu").value;
    QVERIFY2(tip.endsWith(u", measured"_s) || tip.endsWith(u", scaled from a similar operation"_s), qPrintable(tip));
}

void TestWindowWhatIf::unreliableEstimatesAreNotNumbers() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    d.clickNode(d.savedActivation());
    QVERIFY(d.settle());
    d.disturbCalibration();
    QVERIFY(d.settle());
    QVERIFY2(d.answer().contains(u"Estimated time: unreliable"_s), qPrintable(d.answer()));
    QVERIFY2(d.answer().contains(u"the machine was busy"_s), qPrintable(d.answer()));
    QVERIFY2(d.why().contains(u"estimated time unreliable"_s), qPrintable(d.why()));
    QCOMPARE(d.table("runTable")->content().rows[0].cells[6].text, u"unreliable"_s);
    QVERIFY(d.controller().variants()->pareto()->chart()->axes().time.contains(u"unreliable"_s));
    d.trigger("actionTime");
    QVERIFY(d.settle());
    QVERIFY2(!d.answer().contains(u"busy"_s), qPrintable(d.answer()));
    QVERIFY2(d.answer().contains(u"Measured time: "_s), qPrintable(d.answer()));
}
