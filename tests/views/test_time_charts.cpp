// Charts of times: their contents, mouse and keys, and exported files.

#include "charts/time_chart.h"
#include "models/time_pictures.h"
#include "ops/op_table.h"
#include "panels/time_panel.h"
#include "record/results/graph_times.h"
#include "record/results/module_times.h"
#include "support/formatted.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"
#include "views/records.h"

#include <QImage>
#include <QPainter>

#include <cmath>

namespace aotscope::test::time_charts_test {
namespace {

constexpr double kOverheadUs = 7;  // of each graph

/// The time and the memory of every step follow from its position in the graph.
TimingResult steadyTimes(const CompileRecord& record) {
    TimingResult timing;
    timing.iterations = 3;
    timing.backward = true;
    for (const GraphKind kind : {GraphKind::forward, GraphKind::backward}) {
        timing.graphs.push_back({kind, {}, {}, 0});
        std::size_t index = 0;
        double total = kOverheadUs;
        for (const Node* node : record.graph(kind)->nodes()) {
            if (node->kind() != NodeKind::call || isGetitem(*node)) continue;
            const auto us = static_cast<double>(10 + index);
            timing.steps.push_back({timing.graphs.back().graph, index++, node->id(), node->name(), node->op(), us, 0,
                                    static_cast<std::int64_t>(1000 * us), us, us});
            total += us;
        }
        (kind == GraphKind::backward ? timing.compiledBackwardMs : timing.compiledForwardMs) = spreadOf({total / 1000});
    }
    return timing;
}

double totalOf(const TimingResult& timing) { return 1000 * (graphMs(timing, false) + graphMs(timing, true)); }

/// The texts of a chart's two graphs.
QStringList graphTips(const TimePicture& picture) {
    QStringList tips;
    for (const TimeBar& bar : picture.bars)
        if (bar.kind == TimeBar::Kind::graph) tips << bar.tip;
    return tips;
}

/// A fault of the bars, if any: each must be inside its parent, one row below, and next to its neighbours.
QString problemOf(const TimePicture& picture) {
    std::map<int, double> used;  // how much of a bar its own bars take
    std::map<int, std::vector<const TimeBar*>> rows;
    for (const TimeBar& bar : picture.bars) {
        const QString what = bar.text + u" in row %1"_s.arg(bar.row);
        if (bar.tip.isEmpty() || bar.nodes.empty() != (bar.kind == TimeBar::Kind::overhead))
            return what + u" says nothing"_s;
        for (const TimeBar* other : rows[bar.row])
            if (bar.start < other->end() - 1e-6 && other->start < bar.end() - 1e-6)
                return what + u" overlaps "_s + other->text;
        rows[bar.row].push_back(&bar);
        if (bar.around < 0) continue;
        const TimeBar& around = picture.bars[static_cast<std::size_t>(bar.around)];
        if (bar.row != around.row + 1) return what + u" is not below what it is in"_s;
        if (bar.start < around.start - 1e-6 || bar.end() > around.end() + 1e-6)
            return what + u" is not within "_s + around.text;
        used[bar.around] += bar.length;
    }
    for (const auto& [around, us] : used)
        if (const TimeBar& bar = picture.bars[static_cast<std::size_t>(around)]; std::abs(us - bar.length) > 1e-6)
            return bar.text + u" is not filled"_s;
    return {};
}

struct Shown {
    Shown() : record(recordOf("gpt2-tiny")), timing(steadyTimes(*record)) {
        chart.resize(1000, 300);
        chart.setPicture(flamePicture(timing, *record));
        chart.show();
    }
    std::shared_ptr<const CompileRecord> record;
    TimingResult timing;
    TimeChart chart;
};

}  // namespace

class TestTimeCharts : public QObject {
    Q_OBJECT

    Scratch scratch_;

private Q_SLOTS:
    // --- contents ---

    void pictures_data() { rowsOf("sample", {"mlp", "gpt2-tiny", "resnet18"}); }
    void pictures() {
        QFETCH(QString, sample);
        const auto record = recordOf(sample.toStdString());
        const TimingResult timing = steadyTimes(*record);
        const TimePicture flame = flamePicture(timing, *record), line = timelinePicture(timing, *record);
        for (const TimePicture* picture : {&flame, &line}) {
            QCOMPARE(problemOf(*picture), QString());
            QVERIFY(std::abs(picture->length() - totalOf(timing)) < 1e-6);
            QCOMPARE(static_cast<std::size_t>(
                         std::count_if(picture->bars.begin(), picture->bars.end(),
                                       [](const TimeBar& bar) { return bar.kind == TimeBar::Kind::operation; })),
                     timing.steps.size());
        }
    }

    /// A module appears once for each graph in the flame chart, and as often as it is entered on the timeline.
    void modulesAppearOnceInTheFlameChart() {
        const auto record = recordOf("gpt2-tiny");
        const TimePicture flame = flamePicture(steadyTimes(*record), *record);
        std::set<std::pair<QString, GraphKind>> modules;
        for (const TimeBar& bar : flame.bars)
            if (bar.kind == TimeBar::Kind::module) QVERIFY(modules.insert({bar.text, bar.graph}).second);
        QVERIFY(modules.contains({u"blocks.0"_s, GraphKind::forward}));
        QVERIFY(modules.contains({u"blocks.0"_s, GraphKind::backward}));
    }

    void theTimelineKeepsTheOrder() {
        const auto record = recordOf("gpt2-tiny");
        const TimingResult timing = steadyTimes(*record);
        const TimePicture line = timelinePicture(timing, *record);
        std::size_t step = 0;
        double now = 0;
        for (const TimeBar& bar : line.bars) {
            if (bar.kind != TimeBar::Kind::operation) continue;
            QCOMPARE(bar.nodes.front(), timing.steps[step].node);
            if (step > 0 && timing.steps[step].graph != timing.steps[step - 1].graph) now += kOverheadUs;
            QVERIFY(std::abs(bar.start - now) < 1e-6);
            QCOMPARE(line.memory[step].start, bar.start);
            QCOMPARE(line.memory[step].measured, static_cast<double>(timing.steps[step].liveBytes));
            QVERIFY(line.memory[step].predicted >= 0);
            now += timing.steps[step++].medianUs;
        }
        QCOMPARE(line.memory.size(), timing.steps.size());
    }

    void modulesAsATable() {
        const auto record = recordOf("gpt2-tiny");
        const TimingResult timing = steadyTimes(*record);
        const TableContent table = moduleTable(&timing, *record);
        QVERIFY(std::abs(table.rows[0].cells[1].sortKey.toDouble() + table.rows[0].cells[2].sortKey.toDouble() -
                         totalOf(timing)) < 1e-6);
        double own = 0;
        for (const auto& row : table.rows) own += row.cells[3].sortKey.toDouble();
        QVERIFY(std::abs(own - totalOf(timing)) < 1e-6);
        QVERIFY(moduleTable(nullptr, *record).rows.empty() && !moduleTable(nullptr, *record).whenEmpty.isEmpty());
    }

    /// The table of steps, the table of modules and both charts agree on a graph; units fit the size.
    void totalsAgree() {
        const auto record = recordOf("mlp");
        TimingResult timing = steadyTimes(*record);
        timing.compiledForwardMs = spreadOf({658.3});
        timing.compiledBackwardMs = spreadOf({0.01});  // less than its steps
        const QString forward = u"658 ms"_s, backward = u"10.0 µs"_s;
        QVERIFY(timingTable(&timing, *record).summary.startsWith(u"forward 658 ms ("_s));
        QVERIFY(timingTable(&timing, *record).summary.contains(u"backward 10.0 µs ("_s));
        const TableContent modules = moduleTable(&timing, *record);
        QCOMPARE(modules.rows[0].cells[1].text, forward);
        QCOMPARE(modules.rows[0].cells[2].text, backward);
        for (const TimePicture& picture : {flamePicture(timing, *record), timelinePicture(timing, *record)}) {
            const QStringList tips = graphTips(picture);
            QCOMPARE(tips.size(), 2);
            QVERIFY2(tips[0].startsWith(u"forward, forward: 658 ms, 100.0 %"_s), qPrintable(tips[0]));
            QVERIFY2(tips[1].startsWith(u"backward, backward: 10.0 µs, 0.0 %"_s), qPrintable(tips[1]));
            QCOMPARE(problemOf(picture), QString());
        }
    }

    // --- mouse and keys ---

    void aClickChooses() {
        Shown shown;
        QSignalSpy spy(&shown.chart, &TimeChart::barChosen);
        const int module = 1;
        QCOMPARE(shown.chart.picture().bars[module].kind, TimeBar::Kind::module);
        QTest::mouseClick(&shown.chart, Qt::LeftButton, {}, shown.chart.placeOf(module));
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.last().first().toInt(), module);
        QCOMPARE(shown.chart.current(), module);
        QTest::mouseClick(&shown.chart, Qt::LeftButton, {}, QPoint(500, shown.chart.height() - 1));  // no bar is there
        QCOMPARE(spy.count(), 1);
    }

    void aDoubleClickZoomsAndEscapeShowsAll() {
        Shown shown;
        const TimeBar bar = shown.chart.picture().bars[1];
        QTest::mouseDClick(&shown.chart, Qt::LeftButton, {}, shown.chart.placeOf(1));
        QVERIFY(std::abs(shown.chart.start() - bar.start) < 1e-6 && std::abs(shown.chart.end() - bar.end()) < 1e-6);
        QTest::keyClick(&shown.chart, Qt::Key_Escape);
        QCOMPARE(shown.chart.start(), 0.0);
        QCOMPARE(shown.chart.end(), shown.chart.picture().length());
        QTest::keyClick(&shown.chart, Qt::Key_Plus);
        QVERIFY(shown.chart.end() - shown.chart.start() < shown.chart.picture().length());
    }

    void keysGoFromBarToBar() {
        Shown shown;
        const auto& bars = shown.chart.picture().bars;
        const auto current = [&]() -> const TimeBar& { return bars[static_cast<std::size_t>(shown.chart.current())]; };
        QTest::keyClick(&shown.chart, Qt::Key_Down);
        QCOMPARE(shown.chart.current(), 0);
        QTest::keyClick(&shown.chart, Qt::Key_Down);
        const int first = shown.chart.current();
        QCOMPARE(current().around, 0);
        QTest::keyClick(&shown.chart, Qt::Key_Right);
        QVERIFY(current().row == 1 && current().start >= bars[static_cast<std::size_t>(first)].end() - 1e-6);
        QTest::keyClick(&shown.chart, Qt::Key_Left);
        QCOMPARE(shown.chart.current(), first);
        QTest::keyClick(&shown.chart, Qt::Key_Return);
        QCOMPARE(shown.chart.start(), current().start);
        QTest::keyClick(&shown.chart, Qt::Key_Up);
        QCOMPARE(shown.chart.current(), 0);
        QVERIFY(!shown.chart.accessibleDescription().isEmpty());
    }

    void theChartFollowsTheSelection() {
        Shown shown;
        QSignalSpy spy(&shown.chart, &TimeChart::barChosen);
        const StepTime& step = shown.timing.steps.back();
        shown.chart.follow(step.node, GraphKind::backward);
        const TimeBar& bar = shown.chart.picture().bars[static_cast<std::size_t>(shown.chart.current())];
        QVERIFY(bar.kind == TimeBar::Kind::operation && bar.nodes.front() == step.node);
        QCOMPARE(spy.count(), 0);
        shown.chart.follow(kNoNode, GraphKind::joint);
        QCOMPARE(shown.chart.current(), -1);
    }

    // --- both charts on one page ---

    /// A range that is dragged, or marked by keys, has the operations whose middle is in it.
    void rangesHaveSums() {
        const auto record = recordOf("gpt2-tiny");
        const TimingResult timing = steadyTimes(*record);
        TimePanel panel;
        panel.resize(1200, 500);
        panel.setContent({flamePicture(timing, *record), timelinePicture(timing, *record), {}, {}, {}, u"note"_s, {}});
        panel.show();
        QSignalSpy selected(&panel, &TimePanel::nodesSelected);
        TimeChart* line = panel.timeline();
        const auto& bars = line->picture().bars;
        std::vector<int> operations;
        for (int i = 0; i < static_cast<int>(bars.size()); ++i)
            if (bars[static_cast<std::size_t>(i)].kind == TimeBar::Kind::operation) operations.push_back(i);
        const auto drag = [](TimeChart* chart, QPoint from, QPoint to) {
            QTest::mousePress(chart, Qt::LeftButton, {}, from);
            QMouseEvent move(QEvent::MouseMove, to, chart->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(chart, &move);
            QTest::mouseRelease(chart, Qt::LeftButton, {}, to);
        };
        drag(line, {0, 30}, {line->width(), 30});  // everything
        QCOMPARE(line->barsInRange().size(), operations.size());
        double us = 0;
        std::int64_t peak = 0;
        for (const StepTime& step : timing.steps) {
            us += step.medianUs;
            peak = std::max(peak, step.liveBytes);
        }
        QCOMPARE(panel.rangeText(), q(std::to_string(operations.size()) + " operations marked: " +
                                      formatDuration(us / 1000) + ", peak memory " + formatBytes(peak)));
        QCOMPARE(selected.takeLast()[1].value<GraphKind>(), GraphKind::joint);  // both graphs
        drag(panel.flame(), {0, 30}, {30, 30});
        QVERIFY(!line->range() && panel.flame()->range());
        QTest::keyClick(panel.flame(), Qt::Key_Escape);
        QVERIFY(!panel.flame()->range() && panel.rangeText().isEmpty());
        QVERIFY(panel.flame()->start() == 0);
        selected.clear();
        QTest::keyClick(line, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(line, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(line, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(line->barsInRange(), (std::vector{operations[0], operations[1], operations[2]}));
        QTest::keyClick(line, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(line->barsInRange(), (std::vector{operations[0], operations[1]}));
        QCOMPARE(panel.rangeText(), u"2 operations marked: 21.0 µs, peak memory 11.0 kB"_s);
        QCOMPARE(selected.last()[0].value<std::vector<NodeId>>(),
                 (std::vector{timing.steps[0].node, timing.steps[1].node}));
        QCOMPARE(selected.last()[1].value<GraphKind>(), GraphKind::forward);
        QTest::mouseClick(line, Qt::LeftButton, {}, line->placeOf(operations[5]));
        QVERIFY(!line->range() && panel.rangeText().isEmpty());
    }

    void bothChartsHaveOneTimeAxis() {
        const auto record = recordOf("gpt2-tiny");
        const TimingResult timing = steadyTimes(*record);
        TimePanel panel;
        panel.setContent({flamePicture(timing, *record),
                          timelinePicture(timing, *record),
                          timingTable(&timing, *record),
                          {},
                          {},
                          {}});
        panel.resize(900, 500);
        panel.show();
        TimeChart *flame = panel.flame(), *line = panel.timeline();
        QCOMPARE(flame->mapTo(&panel, QPoint()).x(), line->mapTo(&panel, QPoint()).x());
        QCOMPARE(flame->width(), line->width());
        for (TimeChart* chart : {flame, line}) {
            TimeChart* other = chart == flame ? line : flame;
            QTest::keyClick(chart, Qt::Key_Plus);
            QVERIFY(chart->end() - chart->start() < 0.9 * chart->picture().length());
            QVERIFY(other->start() == chart->start() && other->end() == chart->end());
            const QPointF place(chart->width() / 3.0, 60);
            QMouseEvent move(QEvent::MouseMove, place, chart->mapToGlobal(place), Qt::NoButton, Qt::NoButton, {});
            QApplication::sendEvent(chart, &move);
            QVERIFY(chart->hoverTime() && *chart->hoverTime() > chart->start() && *chart->hoverTime() < chart->end());
            QCOMPARE(other->hoverTime(), chart->hoverTime());
            QTest::keyClick(other, Qt::Key_Escape);
            QCOMPARE(chart->end(), chart->picture().length());
        }
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(line, &leave);
        QVERIFY(!flame->hoverTime() && !line->hoverTime());
    }

    void chartsAreBroughtIntoView() {
        const auto record = recordOf("gpt2-tiny");
        const TimingResult timing = steadyTimes(*record);
        TimePanel panel;
        panel.setContent({flamePicture(timing, *record), timelinePicture(timing, *record), {}, {}, {}, {}});
        panel.resize(700, 200);  // too low for both
        panel.show();
        for (const auto& [part, chart] : {std::pair{TimePanel::Part::timeline, panel.timeline()},
                                          std::pair{TimePanel::Part::flame, panel.flame()}}) {
            panel.bringIntoView(part);
            QVERIFY(chart->visibleRegion().boundingRect().contains(chart->rect().topLeft() + QPoint(1, 1)));
            QCOMPARE(panel.focusWidget(), chart);
        }
    }

    void emptyChartsIgnoreInput() {
        TimeChart chart;
        chart.show();
        chart.setPicture({});
        QTest::keyClick(&chart, Qt::Key_Right);
        QTest::keyClick(&chart, Qt::Key_Return);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(5, 30));
        QCOMPARE(chart.current(), -1);
        QVERIFY(!chart.grab().isNull());
    }

    // --- appearance ---

    void themesDiffer() {
        Shown shown;
        const QImage light = shown.chart.grab().toImage();
        shown.chart.setTheme(Theme::dark());
        const QImage dark = shown.chart.grab().toImage();
        QCOMPARE(light.pixelColor(light.width() - 1, light.height() - 1), Theme::light().background);
        QCOMPARE(dark.pixelColor(dark.width() - 1, dark.height() - 1), Theme::dark().background);
    }

    void filesAreWritten() {
        const auto record = recordOf("mlp");
        const TimePicture line = timelinePicture(steadyTimes(*record), *record);
        const TimePicture flame = flamePicture(steadyTimes(*record), *record);
        writeTimes({flame, line}, u"mlp"_s, scratch_.at(u"t.svg"_s).toStdString());
        const QByteArray svg = contentOf(scratch_.at(u"t.svg"_s));
        QXmlStreamReader xml(svg);
        while (!xml.atEnd()) xml.readNext();
        QVERIFY(!xml.hasError());
        for (const char* text : {"forward", "backward", "aten.", "predicted"}) QVERIFY2(svg.contains(text), text);
        writeTimes({flame, line}, u"mlp"_s, scratch_.at(u"t.png"_s).toStdString(), Theme::dark());
        const QImage image(scratch_.at(u"t.png"_s));
        QVERIFY(image.width() > 1000 && image.height() >= TimeFrame::heightOf(flame) + TimeFrame::heightOf(line));
        QVERIFY_THROWS_EXCEPTION(UsageError, writeTimes({line}, {}, scratch_.at(u"t.gif"_s).toStdString()));
    }

    /// Bars below a pixel are joined, not lost.
    void manyOperationsAreFewPixels() {
        TimePicture picture;
        for (int i = 0; i < 20000; ++i) {
            TimeBar bar;
            bar.text = u"aten.mm.default"_s;
            bar.start = i;
            bar.length = 1;
            bar.nodes = {i};
            picture.bars.push_back(bar);
        }
        QImage image(1000, 100, QImage::Format_RGB32);
        QPainter painter(&image);
        const TimeFrame frame{{0, picture.length()}, QRectF(image.rect()), 1, false};
        paintTimes(painter, picture, frame, Theme::light(), -1);
        painter.end();
        QVERIFY(image.pixelColor(500, static_cast<int>(TimeFrame::kAxis) + 5) != Theme::light().background);
    }
};

AOTSCOPE_TEST(TestTimeCharts)

}  // namespace aotscope::test::time_charts_test

#include "test_time_charts.moc"
