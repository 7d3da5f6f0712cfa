// The painter of charts: axes, lines, legends, labels, mouse and keys, files.

#include "charts/chart_file.h"
#include "charts/loss_chart.h"
#include "charts/memory_chart.h"
#include "charts/pareto_chart.h"
#include "charts/plot_painter.h"
#include "charts/roofline_chart.h"
#include "ir/parser.h"
#include "support/error.h"
#include "support/scratch.h"
#include "support/test_program.h"

#include <QImage>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>
#include <set>

namespace aotscope::test::plots_test {
namespace {

QString q(const char* text) { return QString::fromUtf8(text); }

LossCurves falling(int steps) {
    LossCurves curves;
    for (int i = 0; i < steps; ++i) {
        curves.eager.push_back(100.0 / (i + 1));
        curves.compiled.push_back(100.0 / (i + 1));
    }
    return curves;
}

/// Forward up, backward down.
MemoryCurve hill(int steps, double megabytes) {
    MemoryCurve curve;
    for (int i = 0; i < steps; ++i) {
        const bool backward = i >= steps / 2;
        curve.steps.push_back({u"%op_%1"_s.arg(i), megabytes * (backward ? steps - i : i + 1), backward});
        if (curve.steps.back().megabytes > curve.steps[curve.peak].megabytes) curve.peak = curve.steps.size() - 1;
    }
    return curve;
}

std::vector<ParetoMark> someMarks() {
    return {{40, 3, q("1.00"), q("most")}, {10, 5, q("0.00"), q("least")}, {20, 4, q("0.50"), q("half"), false, true}};
}

/// A product that takes twice as long as the machine needs: 100 GFLOP/s, and 10 GB/s, 20 from caches.
RooflinePicture rooflineOfProduct() {
    CompileRecord record;
    record.graphs[GraphKind::forward] = parseGraph(
        "graph forward\n  %a : f32[64, 64] = placeholder(input)  ; id=0\n"
        "  %mm : f32[64, 64] = aten.mm.default(%a, %a)  ; id=1\n  return [%mm : output \"output 0\"]\n");
    TimingResult timing;
    timing.steps.push_back({GraphKind::forward, 0, 1, "mm", "aten.mm.default", 2 * 2.0 * 64 * 64 * 64 / 100e9 * 1e6});
    MachineModel machine;
    machine.bytes = {1, 20e9, 2, 10e9};
    machine.matrixFlops = {0, 100e9};
    return rooflinePicture(timing, record, &machine);
}

PlotLayout layoutOf(const Plot& plot, QSizeF size = {600, 300}) {
    return layOut(plot, size, plot.x.range, plot.y.range);
}

QStringList legendOf(const Plot& plot) {
    QStringList names;
    for (const auto& entry : layoutOf(plot).legend) names << entry.series->name;
    return names;
}

QImage painted(const Plot& plot, const Theme& theme) {
    QImage image(600, 300, QImage::Format_RGB32);
    QPainter painter(&image);
    paintPlot(painter, plot, layoutOf(plot), theme);
    return image;
}

int pixelsOf(const QImage& image, const QColor& colour) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == colour;
    return count;
}

void turnWheel(QWidget& widget, QPointF at, int notches, Qt::KeyboardModifiers keys = {}) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, keys, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

void moveMouse(QWidget& widget, QPointF at, Qt::MouseButtons buttons = Qt::NoButton) {
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, buttons, {});
    QApplication::sendEvent(&widget, &event);
}

void drag(QWidget& widget, QPoint from, QPoint to) {
    QTest::mousePress(&widget, Qt::LeftButton, {}, from);
    moveMouse(widget, to, Qt::LeftButton);
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, to);
}

template <class Chart>
struct Shown : Chart {
    Shown() {
        this->resize(600, 300);
        this->show();
    }
    PlotFrame now() const { return layOut(this->plot(), this->size(), this->seenX(), this->seenY()).frame; }
};

}  // namespace

class TestPlots : public QObject {
    Q_OBJECT

    Scratch scratch_;

private Q_SLOTS:
    // --- axes ---

    void ticksAreRound_data() {
        columns<double, double, int, bool, QString>("low", "high", "most", "whole", "texts");
        QTest::newRow("tens") << 0.0 << 100.0 << 5 << false << "0|20|40|60|80|100";
        QTest::newRow("tenths") << 0.13 << 0.42 << 4 << false << "0.2|0.3|0.4";
        QTest::newRow("halves, not quarters") << 0.0 << 1.0 << 4 << false << "0|0.5|1.0";
        QTest::newRow("a sum would err") << 0.0 << 0.3 << 3 << false << "0|0.1|0.2|0.3";
        QTest::newRow("thousands") << 0.0 << 60'000.0 << 3 << false << "0|20,000|40,000|60,000";
        QTest::newRow("large") << 0.0 << 3e9 << 3 << false << "0|1e9|2e9|3e9";
        QTest::newRow("large and close") << 1e9 << 1.2e9 << 4 << false << "1.00e9|1.05e9|1.10e9|1.15e9|1.20e9";
        QTest::newRow("small") << 1e-9 << 4e-9 << 3 << false << "1e-9|2e-9|3e-9|4e-9";
        QTest::newRow("below nought") << -1.0 << 1.0 << 4 << false << "-1.0|-0.5|0|0.5|1.0";
        QTest::newRow("few whole numbers") << 1.0 << 3.0 << 10 << true << "1|2|3";
        QTest::newRow("no room") << 0.0 << 7.0 << 0 << false << "0";
    }
    void ticksAreRound() {
        FETCH(double, low, high);
        QFETCH(int, most);
        QFETCH(bool, whole);
        QFETCH(QString, texts);
        const AxisTicks ticks({low, high}, most, whole ? AxisNumbers::whole : AxisNumbers::any);
        QStringList found;
        for (const double value : ticks.values()) found << ticks.text(value);
        QCOMPARE(found.join(u'|'), texts);
    }

    void noRangeIsTooOddForTicks() {
        for (const AxisRange& range : {AxisRange::spanning(5, 5), AxisRange::spanning(1e300, 1e300),
                                       AxisRange{-1.7e308, 1.7e308}, AxisRange{1, std::nextafter(1.0, 2.0)}})
            QVERIFY(AxisTicks(range, 10).values().size() <= 12);
    }

    void rangesZoomAroundAPointAndStayInside() {
        const AxisRange whole{0, 100}, closer = whole.zoomed(2, 25);
        QCOMPARE(closer.length(), 50.0);
        QCOMPARE(closer.share(25), whole.share(25));
        QVERIFY(closer.zoomed(0.1, 25).within(whole, 1) == whole);
        QVERIFY(closer.moved(1000).within(whole, 1) == (AxisRange{50, 100}));
        QCOMPARE(whole.zoomed(1e6, 25).within(whole, 4).length(), 4.0);
        QVERIFY((AxisRange{0, 1}.within({0, 1}, 4) == AxisRange{0, 1}));  // nothing is as long as the minimum
    }

    // --- drawing ---

    void gapsPartLines() {
        const Plot plot = lossPlot({{3, 2, std::nan(""), 1}, {3, 2, 1.5, 1}}, {});
        const PlotFrame frame = layoutOf(plot).frame;
        const auto eager = stretchesOf(plot.series[0].points, frame),
                   compiled = stretchesOf(plot.series[1].points, frame);
        QCOMPARE(eager.size(), std::size_t(2));
        QCOMPARE(eager[0].size(), 2);
        QCOMPARE(eager[1].size(), 1);
        QCOMPARE(compiled.size(), std::size_t(1));
        QCOMPARE(compiled[0].size(), 4);
        QVERIFY(plot.y.range.contains(1) && plot.y.range.contains(3) && plot.y.range.length() < 3);
    }

    /// A spike of a single step among many is visible.
    void manyPointsAreFewPixels() {
        LossCurves curves = falling(200'000);
        curves.eager[123'456] = 90;
        const Plot plot = lossPlot(curves, {});
        const PlotFrame frame = layoutOf(plot).frame;
        const auto stretches = stretchesOf(plot.series[0].points, frame);
        QCOMPARE(stretches.size(), std::size_t(1));
        QVERIFY(static_cast<double>(stretches[0].size()) <= 4 * (frame.area.width() + 2));
        const QPointF spike = frame.place({123'457, 90});
        QVERIFY(stretches[0].contains(spike));
        QVERIFY(std::is_sorted(stretches[0].begin(), stretches[0].end(),
                               [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); }));
    }

    void onlyWhatIsSeenIsDrawn() {
        const Plot plot = lossPlot(falling(1000), {});
        const auto seen = stretchesOf(plot.series[0].points, layOut(plot, {600, 300}, {100, 110}, plot.y.range).frame);
        QCOMPARE(seen.at(0).size(), 13);  // with one neighbour on each side
    }

    void theLegendNamesWhatIsThere() {
        MemoryCurve curve = hill(20, 1);
        QCOMPARE(legendOf(memoryPlot(curve, -1, {})), (QStringList{q("forward"), q("backward"), q("peak")}));
        curve.steps[3].measured = 4;
        QCOMPARE(legendOf(memoryPlot(curve, 5, {})),
                 (QStringList{q("forward"), q("backward"), q("measured"), q("peak"), q("listed")}));
        std::vector<ParetoMark> marks = someMarks();
        QCOMPARE(legendOf(paretoPlot(marks, {}, {})), (QStringList{q("shown"), q("estimated")}));
        marks[0].measured = true;
        marks[2].chosen = false;
        QCOMPARE(legendOf(paretoPlot(marks, {}, {})), (QStringList{q("estimated"), q("measured")}));
    }

    /// Powers of ten are written as what they stand for.
    void powersOfTenAreWrittenOut() {
        const AxisTicks ticks({-4, 6}, 20, AxisNumbers::powers);
        QStringList texts;
        for (const double value : ticks.values()) texts << ticks.text(value);
        QCOMPARE(texts.join(u' '), u"1e-4 0.001 0.01 0.1 1 10 100 1,000 10,000 1e5 1e6"_s);
        QCOMPARE(AxisTicks({0.2, 1.4}, 8, AxisNumbers::powers).values(), std::vector<double>{1});
    }

    /// An operation is below the line that memory and arithmetic allow, in parts of it as its tooltip says.
    void theRooflineIsTheLimit() {
        RooflinePicture picture = rooflineOfProduct();
        const Plot plot = rooflinePlot(picture, {});
        const PlotSeries* roof = plot.find(q("limit from memory"));
        QVERIFY(roof && plot.find(q("limit from caches"))->dashed);
        // 10 GB/s up to 100 GFLOP/s: the corner is at 10 operations per byte.
        QCOMPARE(roof->points.size(), std::size_t{3});
        QCOMPARE(roof->points[1], QPointF(1, 2));
        QCOMPARE(roof->points[0].y() - roof->points[0].x(), 1.0);
        QCOMPARE(picture.points.size(), std::size_t{1});
        const RooflinePoint& at = picture.points[0].at;
        QCOMPARE(at.operations, 2.0 * 64 * 64 * 64);
        QCOMPARE(at.bytes, 2.0 * 64 * 64 * 4);
        QVERIFY2(picture.points[0].tip.contains(u": 50 % of what the machine can do"_s),
                 qPrintable(picture.points[0].tip));
        QVERIFY(plot.find(q("forward")) && plot.x.range.contains(std::log10(at.intensity())));
        picture.limits = {};
        QVERIFY(!rooflinePlot(picture, {}).find(q("limit from memory")));
        QVERIFY(rooflinePlot({}, {}).series.empty());
    }

    void theLineIsTheFront() {
        std::vector<ParetoMark> marks = someMarks();
        marks.push_back({30, 6, q("0.70"), q("more of both")});
        QCOMPARE(paretoPlot(marks, {}, {}).series[0].points, (std::vector<QPointF>{{10, 5}, {20, 4}, {40, 3}}));
    }

    void nothingOverlapsAtAnyWidth() {
        MemoryCurve curve = hill(20, 1);
        curve.steps[3].measured = 4;
        const Plot plot = memoryPlot(curve, 5, q("title"));
        for (const double width : {170.0, 300.0, 600.0, 1400.0}) {
            const PlotLayout layout = layoutOf(plot, {width, 200});
            std::vector<QRectF> places = {layout.title, layout.yTitle, layout.frame.area, layout.xTitle};
            for (const auto& entry : layout.legend) places.push_back(entry.place);
            for (std::size_t i = 0; i < places.size(); ++i) {
                QVERIFY2(places[i].left() >= 0 && places[i].right() <= width, qPrintable(QString::number(width)));
                for (std::size_t j = 0; j < i; ++j) QVERIFY(!places[i].intersects(places[j]));
            }
        }
    }

    void labelsCoverNoOthers() {
        std::vector<ParetoMark> marks;
        for (int i = 0; i < 40; ++i) marks.push_back({10.0 + i, 5.0 - i % 3, q("a long label"), {}, false, i == 33});
        const Plot plot = paretoPlot(marks, {}, {});
        const PlotLayout layout = layoutOf(plot);
        QVERIFY(layout.labels.size() > 3 && layout.labels.size() < 40);
        for (std::size_t i = 0; i < layout.labels.size(); ++i) {
            QVERIFY(layout.frame.area.contains(layout.labels[i].place));
            for (std::size_t j = 0; j < i; ++j) QVERIFY(!layout.labels[i].place.intersects(layout.labels[j].place));
        }
        // The shown one comes first.
        const QPointF chosen = layout.frame.place({43, 5.0});
        QVERIFY((layout.labels[0].place.center() - chosen).manhattanLength() < 80);
    }

    void plotsFollowTheTheme() {
        const Plot plot = lossPlot(falling(50), {});
        const Theme light = Theme::light(), dark = Theme::dark();
        const QImage onLight = painted(plot, Theme::light()), onDark = painted(plot, Theme::dark());
        QCOMPARE(onLight.pixelColor(599, 299), light.background);
        QCOMPARE(onDark.pixelColor(599, 299), dark.background);
        QVERIFY(pixelsOf(onLight, light.estimated) > 100 && pixelsOf(onLight, dark.estimated) == 0);
        QVERIFY(pixelsOf(onDark, dark.estimated) > 100 && pixelsOf(onDark, light.estimated) == 0);
    }

    void unitsFitTheSize() {
        QCOMPARE(memoryPlot(hill(10, 1), -1, {}).y.title, q("Live memory (MB)"));
        const Plot small = memoryPlot(hill(10, 0.001), -1, {}), large = memoryPlot(hill(10, 1000), -1, {});
        QCOMPARE(small.y.title, q("Live memory (kB)"));
        QCOMPARE(large.y.title, q("Live memory (GB)"));
        QCOMPARE(small.find(q("peak"))->points.front().y(), 5.0);
        QCOMPARE(large.find(q("peak"))->points.front().y(), 5.0);
        QCOMPARE(small.labels[0].text, q("5.00 kB at %op_4"));
    }

    void aSingleValueIsShown() {
        const Plot loss = lossPlot({{0.5}, {0.5}}, {}), pareto = paretoPlot({{1.158, 6.5, {}, {}}}, {}, {});
        for (const Plot& plot : {loss, pareto}) {
            const PlotLayout layout = layoutOf(plot);
            std::set<QString> texts;
            for (const double value : layout.yTicks.values()) texts.insert(layout.yTicks.text(value));
            QVERIFY(texts.size() > 1 && texts.size() == layout.yTicks.values().size());
        }
        QVERIFY(pixelsOf(painted(loss, Theme::light()), Theme::light().estimated) > 0);
    }

    void emptyChartsIgnoreInput() {
        Shown<LossChart> loss;
        Shown<MemoryChart> memory;
        Shown<ParetoChart> pareto;
        for (PlotView* chart : std::initializer_list<PlotView*>{&loss, &memory, &pareto}) {
            for (const auto key : {Qt::Key_Right, Qt::Key_Left, Qt::Key_Return, Qt::Key_Plus, Qt::Key_Escape})
                QTest::keyClick(chart, key);
            turnWheel(*chart, {300, 150}, 1);
            QTest::mouseClick(chart, Qt::LeftButton, {}, {300, 150});
            drag(*chart, {100, 100}, {300, 200});
            QCOMPARE(chart->current(), -1);
            QCOMPARE(pixelsOf(chart->grab().toImage(), Theme::light().background), 600 * 300);
        }
    }

    // --- reading values ---

    void theMouseReadsOut() {
        Shown<LossChart> chart;
        chart.setCurves(falling(100));
        moveMouse(chart, chart.now().place({40, 10}));
        QCOMPARE(chart.current(), 39);
        QCOMPARE(chart.accessibleDescription(), q("step 40: eager 2.5, compiled 2.5"));
        QCOMPARE(QToolTip::text(), chart.accessibleDescription());
        moveMouse(chart, {2, 2});
        QCOMPARE(chart.current(), -1);
        QVERIFY(chart.accessibleDescription().isEmpty());
        MemoryCurve curve = hill(10, 1);
        curve.steps[7].measured = 2.5;
        Shown<MemoryChart> memory;
        memory.setCurve(curve);
        moveMouse(memory, memory.placeOf(2));
        QCOMPARE(memory.accessibleDescription(), q("%op_2, forward: 3.00 MB"));
        moveMouse(memory, memory.placeOf(7));
        QCOMPARE(memory.accessibleDescription(), q("%op_7, backward: 3.00 MB, measured 2.50 MB"));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&memory, &leave);
        QCOMPARE(memory.current(), -1);
    }

    void theReadPointIsMarked() {
        Shown<LossChart> chart;
        chart.setCurves(falling(100));
        const QImage before = chart.grab().toImage();
        moveMouse(chart, chart.now().place({40, 10}));
        const QImage after = chart.grab().toImage();
        const QPoint point = chart.now().place({40, 2.5}).toPoint();
        QVERIFY(before != after);
        QVERIFY(after.pixelColor(point) == Theme::light().background);  // inside of the ring
        QVERIFY(before.pixelColor(point) != Theme::light().background);
    }

    void keysReadOutAndChoose() {
        Shown<MemoryChart> chart;
        chart.setCurve(hill(10, 1));
        QSignalSpy spy(&chart, &MemoryChart::stepChosen);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(spy.count(), 0);
        QTest::keyClick(&chart, Qt::Key_Right);
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.current(), 1);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(spy.last().first().toInt(), 1);
        QTest::keyClick(&chart, Qt::Key_Left);
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(chart.current(), 0);  // there is none before the first
        QTest::keyClick(&chart, Qt::Key_Escape);
        QCOMPARE(chart.current(), -1);
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(chart.current(), 9);
    }

    void keysGoByMemory() {
        Shown<ParetoChart> chart;
        chart.setMarks(someMarks(), {});
        QStringList tips;
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(&chart, Qt::Key_Right);
            tips << chart.accessibleDescription();
        }
        QCOMPARE(tips, (QStringList{q("least"), q("half"), q("most"), q("most")}));
        QSignalSpy spy(&chart, &ParetoChart::markChosen);
        QTest::keyClick(&chart, Qt::Key_Enter);
        QCOMPARE(spy.last().first().toInt(), 0);
    }

    // --- zoom ---

    void theWheelZoomsWhereTheMouseIs() {
        Shown<LossChart> chart;
        chart.setCurves(falling(1000));
        const QPointF at = chart.now().place({500, 10});
        turnWheel(chart, at, 3);
        QVERIFY(chart.seenX().length() < 999 / 1.9);
        QVERIFY(std::abs(chart.now().value(at).x() - 500) < 10);
        // The y axis follows: the large losses of the beginning are no longer visible.
        QVERIFY(!chart.seenX().contains(1) && chart.seenY().high < 2 && chart.seenY().contains(100.0 / 500));
        const AxisRange before = chart.seenX();
        turnWheel(chart, at, -1, Qt::ShiftModifier);
        QVERIFY(chart.seenX().low > before.low && std::abs(chart.seenX().length() - before.length()) < 1e-6);
        turnWheel(chart, at, -20);
        QVERIFY(chart.seenX() == chart.plot().x.range && chart.seenY() == chart.plot().y.range);
        turnWheel(chart, {2, 2}, 3);  // beside the axes
        QVERIFY(chart.seenX() == chart.plot().x.range);
    }

    void theWheelZoomsPointsBothWays() {
        Shown<ParetoChart> chart;
        chart.setMarks(someMarks(), {});
        turnWheel(chart, chart.placeOf(2), 2);
        QVERIFY(chart.seenX().length() < chart.plot().x.range.length() && chart.seenX().contains(20));
        QVERIFY(chart.seenY().length() < chart.plot().y.range.length() && chart.seenY().contains(4));
        turnWheel(chart, chart.placeOf(2), 1000);
        QVERIFY(chart.seenX().length() >= chart.plot().x.shortest() * 0.999);
    }

    void draggingZoomsAndADoubleClickShowsAll() {
        Shown<MemoryChart> chart;
        chart.setCurve(hill(100, 1));
        QSignalSpy spy(&chart, &MemoryChart::stepChosen);
        drag(chart, chart.now().place({20, 10}).toPoint(), chart.now().place({40, 30}).toPoint());
        QVERIFY(std::abs(chart.seenX().low - 20) < 1 && std::abs(chart.seenX().high - 40) < 1);
        QVERIFY(chart.seenY().contains(40) && chart.seenY().high < 60);
        QCOMPARE(spy.count(), 0);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.placeOf(30));
        QCOMPARE(spy.last().first().toInt(), 30);
        QTest::mouseDClick(&chart, Qt::LeftButton, {}, chart.placeOf(30));
        QVERIFY(chart.seenX() == chart.plot().x.range);
        Shown<ParetoChart> points;
        points.setMarks(someMarks(), {});
        drag(points, points.now().place({15, 4.5}).toPoint(), points.now().place({25, 3.5}).toPoint());
        QVERIFY(std::abs(points.seenX().low - 15) < 0.5 && std::abs(points.seenY().high - 4.5) < 0.1);
        QTest::keyClick(&points, Qt::Key_Escape);
        QVERIFY(points.seenX() == points.plot().x.range && points.seenY() == points.plot().y.range);
    }

    void keysZoomAndBringWhatTheyReadIntoSight() {
        Shown<MemoryChart> chart;
        chart.setCurve(hill(100, 1));
        QTest::keyClick(&chart, Qt::Key_Right);
        for (int i = 0; i < 5; ++i) QTest::keyClick(&chart, Qt::Key_Plus);
        QVERIFY(chart.seenX().length() < 20 && chart.seenX().contains(0.5));
        for (int i = 0; i < 30; ++i) QTest::keyClick(&chart, Qt::Key_Right);
        QVERIFY(chart.seenX().contains(30.5) && !chart.seenX().contains(0.5));
        for (int i = 0; i < 9; ++i) QTest::keyClick(&chart, Qt::Key_Minus);
        QVERIFY(chart.seenX() == chart.plot().x.range);
    }

    void theZoomOutlivesWhatOnlyGrows() {
        Shown<LossChart> loss;
        loss.setCurves(falling(100));
        turnWheel(loss, loss.now().place({50, 10}), 3);
        const AxisRange seen = loss.seenX();
        loss.setCurves(falling(120));
        QVERIFY(loss.seenX() == seen);
        loss.setCurves(falling(50));  // another training
        QVERIFY(loss.seenX() == loss.plot().x.range);
        loss.setCurves(falling(60));
        QVERIFY(loss.seenX() == loss.plot().x.range);  // all was visible, all is
        Shown<MemoryChart> memory;
        memory.setCurve(hill(100, 1));
        turnWheel(memory, memory.placeOf(30), 3);
        memory.setChosen(30);
        QVERIFY(memory.seenX() != memory.plot().x.range);
        QVERIFY(memory.plot().find(q("listed")));
        memory.setCurve(hill(100, 1));
        QVERIFY(memory.seenX() == memory.plot().x.range && !memory.plot().find(q("listed")));
    }

    // --- files ---

    void filesAreWritten() {
        const Plot plot = memoryPlot(hill(20, 1), -1, q("mlp: live memory"));
        const auto at = [&](const char* name) { return scratch_.at(q(name)); };
        writePlot(plot, at("m.svg").toStdString());
        const QByteArray svg = contentOf(at("m.svg"));
        for (const char* text : {"<svg", "mlp: live memory", "Live memory (MB)", "forward", "10.0 MB at %op_9"})
            QVERIFY2(svg.contains(text), text);
        QCOMPARE(plotSvg(plot), svg);
        writePlot(plot, at("m.PNG").toStdString(), Theme::dark());
        const QImage image(at("m.PNG"));
        QCOMPARE(image.size(), QSize(1520, 920));
        QCOMPARE(image.pixelColor(1519, 919), Theme::dark().background);
        QVERIFY(pixelsOf(image, Theme::dark().selection) > 50);
        for (const char* name : {"m.gif", "m"})
            QVERIFY_THROWS_EXCEPTION(UsageError, writePlot(plot, at(name).toStdString()));
    }
};

AOTSCOPE_TEST(TestPlots)

}  // namespace aotscope::test::plots_test

#include "test_plots.moc"
