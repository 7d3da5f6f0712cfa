// Does a training step fit: the page Fit.

#include "test_window_what_if.h"
#include "what_if_driver.h"

#include "panels/fit_panel.h"
#include "session/fit/fit_question.h"

#include <QSlider>

using namespace aotscope;
using namespace aotscope::test;

/// The answers are those of the command; the sliders ask again.
void TestWindowWhatIf::stepsAreAskedAbout() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    auto& panel = *d.find<FitPanel>("fitPanel");
    QVERIFY(!panel.isVisible());
    QVERIFY(panel.chart()->found().rows.empty());
    d.trigger("actionFit");
    QVERIFY(d.settle());
    QVERIFY(panel.isVisible());
    const BatchSearch first = panel.chart()->found();
    QVERIFY(first.rows.size() > 3);
    QVERIFY(first.largest);
    QVERIFY2(panel.heading().startsWith(u"Batch 32 fits: "_s), qPrintable(panel.heading()));
    QCOMPARE(panel.rows()->content().rows.size(), first.rows.size());

    auto* batch = d.find<QSlider>("fitBatch");
    QVERIFY(batch->isEnabled());
    batch->setValue(33);
    QVERIFY(d.settle());
    QVERIFY2(panel.heading().startsWith(u"Batch 33 fits: "_s), qPrintable(panel.heading()));
    const auto& rows = panel.chart()->found().rows;
    QCOMPARE(std::ranges::count(rows, 33, &BatchStep::batch), 1);

    d.find<QDoubleSpinBox>("fitMemory")->setValue(0.002);  // 2 MB
    QVERIFY(d.settle());
    const BatchSearch little = panel.chart()->found();
    QCOMPARE(little.limit, std::int64_t{2'000'000});
    QVERIFY(little.largest && little.next && little.largest->batch + 1 == little.next->batch);
    QVERIFY(little.largest->step.peakBytes() <= little.limit && little.next->step.peakBytes() > little.limit);

    d.find<QComboBox>("fitOptimizer")->setCurrentText(u"sgd"_s);
    QVERIFY(d.settle());
    QCOMPARE(panel.chart()->found().rows.front().step.stateBytes, std::int64_t{0});
    QVERIFY(panel.chart()->found().largest->batch > little.largest->batch);

    auto* device = d.find<QComboBox>("fitDevice");
    device->setCurrentIndex(device->findData(u"h100"_s));
    QVERIFY(d.settle());
    QCOMPARE(panel.limit(), static_cast<std::int64_t>(dataSheetNamed("h100")->memory));
    QVERIFY(panel.chart()->found().largest->batch > 10'000);
}

void TestWindowWhatIf::withoutABackwardThereIsNothingToFit() {
    WhatIf d;
    d.window.setOptions({.inference = true});
    QVERIFY(d.openSample("mlp"));
    d.trigger("actionFit");
    QVERIFY(d.settle());
    auto& panel = *d.find<FitPanel>("fitPanel");
    QVERIFY2(panel.heading().contains(u"needs a backward"_s), qPrintable(panel.heading()));
    QVERIFY(!d.find<QComboBox>("fitOptimizer")->isEnabled());
}
