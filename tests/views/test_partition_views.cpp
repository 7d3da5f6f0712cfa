// The views of a partition: placements on the graph, the story of a value, the flow network, tables, charts.

#include "canvas/layout/network_graph.h"
#include "canvas/layout/placements.h"
#include "charts/chart_file.h"
#include "charts/memory_chart.h"
#include "charts/pareto_chart.h"
#include "cost/known_machines.h"
#include "ir/parser.h"
#include "models/tables/variant_tables.h"
#include "models/why_story.h"
#include "ops/decompositions/decomposition_table.h"
#include "panels/memory_panel.h"
#include "partition/what_if.h"
#include "record/level_map.h"
#include "record/partition_figures.h"
#include "support/formatted.h"
#include "support/patience.h"
#include "support/processor_clock.h"
#include "support/test_program.h"
#include "views/drawings.h"

#include <cmath>
#include <set>

namespace aotscope::test::partition_views_test {

using State = WhyStory::Rule::State;

namespace {

struct Sample {
    explicit Sample(const std::string& name)
        : record(recordOf(name)), joint(record->graph(GraphKind::joint)), whatIf(joint) {}

    const Node* node(std::string_view name) const { return joint->findByName(name); }
    std::shared_ptr<const Partition> with(const std::function<void(PartitionOptions&)>& edit) const {
        PartitionOptions options;
        edit(options);
        return whatIf.partition(options);
    }
    const ValueDecision& decisionOf(const Node* node) const {
        for (const auto& decision : record->partition->decisions)
            if (decision.node == node->id()) return decision;
        throw Error("no decision about it");
    }
    Variant variant(const QString& name, std::shared_ptr<const Partition> partition) const {
        return makeVariant(name, {}, std::move(partition), *record->graphMetadata, NodeTimes(machineModel()));
    }

    std::shared_ptr<const CompileRecord> record;
    std::shared_ptr<const Graph> joint;
    PartitionWhatIf whatIf;
};

/// The first activation that is saved.
const Node* firstSaved(const Sample& sample) {
    for (const auto& value : sample.record->partition->saved)
        if (value.kind == SavedValue::Kind::activation) return sample.joint->findById(value.node);
    return nullptr;
}

int decided(const WhyStory& story) {
    return static_cast<int>(
        std::count_if(story.rules.begin(), story.rules.end(), [](const auto& r) { return r.state == State::decided; }));
}

QString factOf(const WhyStory& story, const QString& name) {
    for (const auto& fact : story.facts)
        if (fact.name == name) return fact.value;
    return {};
}

bool isXml(const QByteArray& text) {
    QXmlStreamReader reader(text);
    while (!reader.atEnd()) reader.readNext();
    return !reader.hasError();
}

}  // namespace

class TestPartitionViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- the story of a value ---

    void oneRuleDecides_data() { rowsOf("name", {"mlp", "sincos", "resnet18", "gpt2-tiny"}); }

    void oneRuleDecides() {
        QFETCH(QString, name);
        const Sample sample(name.toStdString());
        int told = 0;
        for (const Node* node : sample.joint->nodes()) {
            if (node->kind() == NodeKind::output) continue;
            const WhyStory story = whyStory(*sample.joint, *node, *sample.record->partition, {});
            QVERIFY(!story.placement.isEmpty());
            if (story.rules.empty()) continue;
            ++told;
            QVERIFY2(decided(story) == 1, qPrintable(whyText(story)));
            QVERIFY2(story.rules.front().state == State::decided, qPrintable(whyText(story)));
            for (const auto& rule : story.rules) QVERIFY(!rule.text.isEmpty());
        }
        QVERIFY(told > 1);
    }

    void theBanRuleIsMarked() {
        const Sample sample("mlp");
        const Node* addmm = sample.node("addmm");
        QVERIFY(addmm);
        const WhyStory story = whyStory(*sample.joint, *addmm, *sample.record->partition, {});
        const auto rule = std::find_if(story.rules.begin(), story.rules.end(),
                                       [](const auto& r) { return r.state == State::decided; });
        QVERIFY(rule->text.contains(u"list of cheap operations"_s));
    }

    void disabledRulesAreMarked() {
        const Sample sample("mlp");
        const PartitionOptions options{.cut = {.banReductions = false}};
        const auto partition = sample.whatIf.partition(options);
        const WhyStory story = whyStory(*sample.joint, *sample.node("relu"), *partition, options.cut);
        const auto off =
            std::count_if(story.rules.begin(), story.rules.end(), [](const auto& r) { return r.state == State::off; });
        QCOMPARE(static_cast<int>(off), 3);  // reductions, and the two rules that the list replaces
        QVERIFY(whyText(story).contains(u"switched off"_s));
    }

    void checkpointTagsAreTold() {
        const std::shared_ptr<const Graph> joint = parseGraph(
            "graph joint\n%x : f32[4] = placeholder(input)\n%t : f32[4] = placeholder(tangent)\n"
            "%tanh : f32[4] = aten.tanh.default(%x) ; recompute=PREFER_RECOMPUTE region=3\n"
            "%mm : f32[4] = aten.mm.default(%tanh, %x) ; recompute=MUST_SAVE\n"
            "%a : f32[4] = aten.made_up.default(%t, %tanh, %mm) ; stage=backward\nreturn [%mm : output, %a : "
            "gradient]");
        const auto partition = PartitionWhatIf(joint).partition({});
        const WhyStory again = whyStory(*joint, *joint->findByName("tanh"), *partition, {});
        QCOMPARE(factOf(again, u"checkpointing"_s), u"PREFER_RECOMPUTE, region 3"_s);
        QVERIFY(again.because.contains(u"activation checkpointing"_s));
        QVERIFY(factOf(again, u"capacity"_s).startsWith(u"none: it must be recomputed"_s));
        const WhyStory saved = whyStory(*joint, *joint->findByName("mm"), *partition, {});
        QCOMPARE(factOf(saved, u"checkpointing"_s), u"MUST_SAVE"_s);
        QCOMPARE(decided(saved), 1);
        QVERIFY(saved.because.contains(u"marked MUST_SAVE"_s));
    }

    void theCapacityIsTheProduct() {
        const Sample sample("resnet18");
        int checked = 0;
        for (const auto& decision : sample.record->partition->decisions) {
            const Node* node = sample.joint->findById(decision.node);
            if (decision.capacity <= 0 || decision.capacity >= CutNetwork::kInfinite || !node->type.tensor()) continue;
            const auto exponent = static_cast<double>(std::clamp<std::int64_t>(decision.distance, 1, 100));
            const auto once = static_cast<std::int64_t>(static_cast<double>(decision.bytes) * std::pow(1.1, exponent));
            QCOMPARE(decision.capacity, decision.materialized ? once : 2 * once);
            const WhyStory story = whyStory(*sample.joint, *node, *sample.record->partition, {});
            QVERIFY(factOf(story, u"capacity"_s).endsWith(u"= %1"_s.arg(decision.capacity)));
            ++checked;
        }
        QVERIFY(checked > 20);
    }

    void linksLeadToNodesOfTheGraph() {
        const Sample sample("sincos");
        QVERIFY(!sample.record->partition->recomputed.empty());
        const Node* again = sample.joint->findById(sample.record->partition->recomputed[0].node);
        const WhyStory story = whyStory(*sample.joint, *again, *sample.record->partition, {});
        QVERIFY(story.placement.startsWith(u"Recomputed"_s));
        QVERIFY(!story.links.empty());
        for (const auto& links : story.links)
            for (const auto& link : links.links) QVERIFY(sample.joint->findById(link.node));
    }

    // --- on the graph ---

    void savedBoxesAreThoseOfThePartition() {
        const Sample sample("resnet18");
        const DrawnGraph drawn = drawGraph(*sample.joint, GraphKind::joint, *sample.record);
        std::set<NodeId> saved;
        for (const auto& value : sample.record->partition->saved)
            if (drawn.indexOf.contains(value.node)) saved.insert(value.node);
        std::set<int> boxes, marked;
        for (const NodeId id : saved) boxes.insert(drawn.indexOf.at(id));
        for (std::size_t i = 0; i < drawn.nodes.size(); ++i)
            if (drawn.nodes[i].placement.saved) marked.insert(static_cast<int>(i));
        QCOMPARE(marked, boxes);
        for (const auto& box : drawn.nodes) QVERIFY(box.placement.change.isEmpty());
    }

    void aChangeMarksWhatDiffersAndMovesNothing() {
        const Sample sample("mlp");
        const Node* relu = sample.node("relu");
        const auto after = sample.with([&](PartitionOptions& o) { o.cut.mustRecompute = {relu->id()}; });
        const DrawnGraph before = drawGraph(*sample.joint, GraphKind::joint, *sample.record);
        DrawnGraph drawn = before;
        markPlacements(drawn, *sample.joint, *after, sample.record->partition.get());
        const auto difference = compare(*sample.record->partition, *after);
        std::set<int> expected, marked;
        for (const auto& change : difference.values)
            if (drawn.indexOf.contains(change.node)) expected.insert(drawn.indexOf.at(change.node));
        for (std::size_t i = 0; i < drawn.nodes.size(); ++i) {
            if (!drawn.nodes[i].placement.change.isEmpty()) marked.insert(static_cast<int>(i));
            QCOMPARE(drawn.nodes[i].size, before.nodes[i].size);
        }
        QVERIFY(!expected.empty());
        QCOMPARE(marked, expected);
        QCOMPARE(nodeNamed(drawn, "relu").placement.change, u"now recomputed"_s);
        QCOMPARE(drawn.edges.size(), before.edges.size());
        const auto legend = Theme::light().legend(drawn, ColourBy::placement);
        QVERIFY(std::any_of(legend.begin(), legend.end(),
                            [](const auto& entry) { return entry.text.contains(u"What If"_s); }));
    }

    void everyPlacementHasItsColour() {
        const DrawnGraph drawn = drawSample("sincos");
        for (const Theme& theme : {Theme::light(), Theme::dark()}) {
            std::set<QRgb> fills;
            QStringList meanings;
            for (const auto& entry : theme.legend(drawn, ColourBy::placement)) {
                QVERIFY2(fills.insert(entry.fill.rgb()).second, qPrintable(entry.text));
                meanings << entry.text;
            }
            QVERIFY(meanings.contains(u"recomputed in backward"_s));
            QVERIFY(meanings.contains(u"backward only"_s));
        }
    }

    /// The steps of one answer of what-if, on a joint graph of about 1,350 operations.
    void anAnswerTakesMilliseconds() {
        const Sample sample("gpt2");
        const NodeTimes times(machineModel());
        const NodeId node = firstSaved(sample)->id();
        DrawnGraph drawn = drawGraph(*sample.joint, GraphKind::joint, *sample.record);
        QStringList parts;
        double total = 0;
        const auto measure = [&](const char* what, const auto& run) {
            double best = 1e9;
            for (int i = 0; i < 3; ++i) {
                const ProcessorClock clock;
                run();
                best = std::min(best, clock.milliseconds());
            }
            total += best;
            parts << u"%1 %2 ms"_s.arg(QLatin1String(what)).arg(best, 0, 'f', 2);
        };
        std::shared_ptr<const Partition> partition;
        Variant variant;
        PartitionDifference difference;
        measure("partition",
                [&] { partition = sample.with([&](PartitionOptions& o) { o.cut.mustRecompute = {node}; }); });
        measure("costs", [&] { variant = makeVariant({}, {}, partition, *sample.record->graphMetadata, times); });
        measure("difference", [&] { difference = compare(*sample.record->partition, *partition); });
        measure("picture", [&] {
            DrawnGraph next = drawn;
            markPlacements(next, *sample.joint, *partition, sample.record->partition.get());
        });
        measure("why", [&] { whyHtml(whyStory(*sample.joint, *sample.joint->findById(node), *partition, {})); });
        measure("tables", [&] {
            differenceTable(variant, variant, difference);
            changedValuesTable(difference);
            liveTable(*variant.memory, variant.memory->peak);
        });
        measure("chart", [&] {
            MemoryPanel panel;
            panel.showMemory(variant.memory, {});
        });
        qInfo("%s", qPrintable(parts.join(u", "_s)));
        QVERIFY2(total < 3000, "far from at once");
    }

    // --- the flow network ---

    void theCutOfThePictureIsTheFlow_data() { rowsOf("name", {"mlp", "sincos"}); }

    /// Maximum flow equals minimum cut: the cut edges of the picture carry all of the flow.
    void theCutOfThePictureIsTheFlow() {
        QFETCH(QString, name);
        const Sample sample(name.toStdString());
        const Partition& partition = *sample.record->partition;
        const DrawnGraph drawn = drawNetwork(*sample.joint, partition, kNoNode);
        QVERIFY(drawn.note.isEmpty());
        std::int64_t cut = 0;
        int saved = 0;
        for (const auto& box : drawn.nodes) {
            if (box.cut.side != CutSide::cut) continue;
            ++saved;
            cut += sample.decisionOf(sample.joint->findById(box.id)).capacity;
            QVERIFY(box.cut.saturated || sample.decisionOf(sample.joint->findById(box.id)).capacity == 0);
        }
        QCOMPARE(cut, partition.network->flow);
        QVERIFY(saved > 0);
        for (const auto& edge : drawn.edges) QVERIFY(edge.flow >= 0 && edge.flow <= 1 && !edge.tip.isEmpty());
    }

    void aLargeNetworkIsShownAroundAValue() {
        const Sample sample("gpt2");
        const Partition& partition = *sample.record->partition;
        const DrawnGraph cut = drawNetwork(*sample.joint, partition, kNoNode);
        QVERIFY(cut.note.contains(u"the largest saved value"_s));
        QVERIFY(cut.nodes.size() < 300);
        const Node* saved = firstSaved(sample);
        const DrawnGraph around = drawNetwork(*sample.joint, partition, saved->id());
        QVERIFY(around.indexOf.contains(saved->id()));
        QVERIFY(around.note.contains(q(saved->name())));
    }

    void networkHasALegendOfItsOwn() {
        const Sample sample("mlp");
        const DrawnGraph drawn = drawNetwork(*sample.joint, *sample.record->partition, kNoNode);
        QStringList meanings;
        for (const auto& entry : Theme::light().legend(drawn, ColourBy::stage)) meanings << entry.text;
        QVERIFY(meanings.contains(u"cut here: saved"_s));
        QVERIFY(meanings.contains(u"saturated"_s));
        QVERIFY(!meanings.contains(u"backward"_s));
    }

    // --- levels ---

    void levelsCorrespondInBothDirections() {
        const Options options{.model = "sample:mlp", .decompositions = DecompositionTable::load("core-aten")};
        const auto record = Session::open(options, {})->record();
        const auto functional = record->graph(GraphKind::functional), joint = record->graph(GraphKind::joint);
        const LevelMap map(*record, *functional, GraphKind::functional, *joint, GraphKind::joint);
        std::size_t linked = 0;
        for (const Node* node : functional->nodes())
            for (const NodeId other : map.toB(node->id())) {
                ++linked;
                const auto back = map.toA(other);
                QVERIFY(std::find(back.begin(), back.end(), node->id()) != back.end());
            }
        QVERIFY(linked > functional->callCount());
        // An operation of the forward also corresponds to its derivative.
        const auto relu = map.toB(functional->findByName("relu")->id());
        QVERIFY(!relu.empty());
        QCOMPARE(relu.front(), joint->findByName("relu")->id());
        QVERIFY(std::any_of(relu.begin(), relu.end(),
                            [&](NodeId id) { return joint->findById(id)->stage == Stage::backward; }));
        // A decomposed operation corresponds to the operations of its rule.
        QVERIFY(!record->rewrites.empty());
        const Node* t = functional->findByName("t");
        QVERIFY(t && !map.toB(t->id()).empty());
    }

    // --- tables ---

    void differenceCountsBothSides() {
        const Sample sample("mlp");
        const Variant before = sample.variant(u"compiled"_s, sample.record->partition);
        const Variant after = sample.variant(
            u"default"_s, sample.with([](PartitionOptions& o) { o.algorithm = PartitionAlgorithm::defaultPartition; }));
        const auto difference = compare(*before.partition, *after.partition);
        const TableContent table = differenceTable(before, after, difference);
        QCOMPARE(table.rows[0].cells[1].text.toInt(), static_cast<int>(figuresOf(*before.partition).savedValues));
        QCOMPARE(table.rows[0].cells[2].text.toInt(), static_cast<int>(figuresOf(*after.partition).savedValues));
        QCOMPARE(table.rows[1].cells[3].sortKey.toLongLong(),
                 after.partition->savedUniqueBytes() - sample.record->partition->savedUniqueBytes());
        QCOMPARE(changedValuesTable(difference).rows.size(), difference.values.size());
    }

    /// Until there is another partition, the figures are shown once.
    void onePartitionIsNotComparedWithItself() {
        const Sample sample("mlp");
        const Variant compiled = sample.variant(u"compiled"_s, sample.record->partition);
        const TableContent table = differenceTable(compiled, compiled, {});
        QCOMPARE(table.columns.size(), std::size_t{2});
        for (const auto& row : table.rows) QCOMPARE(row.cells.size(), std::size_t{2});
        QVERIFY(table.summary.contains(u"Shift+R"_s));
    }

    /// Relu is as large as the result of the normalization or addition before it.
    void whatIsSavedInsteadIsTold() {
        const Sample sample("resnet18");
        const Variant compiled = sample.variant(u"compiled"_s, sample.record->partition);
        const auto recomputing = [&](std::string_view op) {
            PartitionOptions options;
            for (const Node* node : sample.joint->nodes())
                if (node->isCall(op)) options.cut.mustRecompute.insert(node->id());
            return makeVariant({}, options, sample.whatIf.partition(options), *sample.record->graphMetadata,
                               NodeTimes(machineModel()));
        };
        const Variant relus = recomputing("aten.relu.default");
        QVERIFY(!relus.options.cut.mustRecompute.empty());
        QVERIFY(relus.figures.savedBytes >= compiled.figures.savedBytes);
        const QString line = savedInsteadLine(compiled, relus);
        QVERIFY2(line.contains(u"; saved instead: "_s) && line.contains(u"results of add, "_s), qPrintable(line));
        QCOMPARE(savedInsteadLine(relus, relus), QString());
        QCOMPARE(savedInsteadLine(compiled, compiled), QString());
    }

    void signsOfBytes() {
        QCOMPARE(signedBytes(0), QString());
        QVERIFY(signedBytes(2'000'000).startsWith(u'+'));
        QVERIFY(signedBytes(-2'000'000).startsWith(u"−"_s));
    }

    void thePeakIsTheSumOfLiveValues() {
        const Sample sample("resnet18");
        const Variant v = sample.variant({}, sample.record->partition);
        const TableContent table = liveTable(*v.memory, v.memory->peak);
        qint64 sum = 0;
        for (const auto& row : table.rows) sum += row.cells[1].sortKey.toLongLong();
        QCOMPARE(sum, v.figures.peakBytes);
        QVERIFY(table.summary.startsWith(u"Peak"_s));
    }

    // --- charts ---

    void paretoPointsCanBeClicked() {
        ParetoChart chart;
        chart.resize(700, 400);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart, kPatience));
        chart.setMarks({{10, 5, u"0.0"_s, {}}, {40, 3, u"1.0"_s, {}}, {40, 3.4, {}, {}, true}}, {u"MB"_s, u"ms"_s});
        QSignalSpy spy(&chart, &ParetoChart::markChosen);
        for (int i = 0; i < 3; ++i) {
            const QPoint at = chart.placeOf(static_cast<std::size_t>(i));
            QVERIFY(chart.rect().contains(at));
            QTest::mouseClick(&chart, Qt::LeftButton, {}, at);
            QCOMPARE(spy.last().first().toInt(), i);
        }
        QTest::mouseClick(&chart, Qt::LeftButton, {}, {350, 380});
        QCOMPARE(spy.count(), 3);
    }

    void paretoIsWrittenAsSvg() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath(u"pareto.svg"_s).toStdString();
        for (const Theme& theme : {Theme::light(), Theme::dark()}) {
            writePlot(paretoPlot({{10, 5, u"0.25"_s, {}}, {40, 3, u"1.00"_s, {}}}, {u"Saved (MB)"_s, u"Time (ms)"_s},
                                 u"mlp"_s),
                      file, theme);
            QFile written(QString::fromStdString(file.string()));
            QVERIFY(written.open(QIODevice::ReadOnly));
            const QByteArray svg = written.readAll();
            QVERIFY(isXml(svg));
            for (const char* text : {"Saved (MB)", "Time (ms)", "0.25", "1.00", "mlp"})
                QVERIFY2(svg.contains(text), text);
            QVERIFY(svg.contains(theme.background.name().toLatin1()));
        }
    }

    /// Shift and the mouse, or Shift and arrows, mark steps; their operations are selected.
    void rangesOfTheMemoryCurve() {
        const Sample sample("mlp");
        const Variant v = sample.variant({}, sample.record->partition);
        MemoryPanel panel;
        panel.resize(1000, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel, kPatience));
        panel.showMemory(v.memory, {});
        MemoryChart* chart = panel.chart();
        QSignalSpy selected(&panel, &MemoryPanel::nodesSelected);
        const AxisRange before = chart->seenX();
        QTest::mousePress(chart, Qt::LeftButton, Qt::ShiftModifier, chart->placeOf(1));
        const QPoint to = chart->placeOf(3);
        QMouseEvent move(QEvent::MouseMove, to, chart->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                         Qt::ShiftModifier);
        QApplication::sendEvent(chart, &move);
        QTest::mouseRelease(chart, Qt::LeftButton, Qt::ShiftModifier, to);
        QCOMPARE(chart->range(), std::optional(std::pair(1, 3)));
        QCOMPARE(chart->seenX(), before);  // not zoomed
        const auto& curve = v.memory->curve;
        QCOMPARE(selected.takeLast().first().value<std::vector<NodeId>>(),
                 (std::vector{curve[1].node, curve[2].node, curve[3].node}));
        const auto [low, high] = std::ranges::minmax({curve[1].bytes, curve[2].bytes, curve[3].bytes});
        QVERIFY2(panel.rangeText().startsWith(q("3 operations marked: live memory from " + formatBytes(low) + " to " +
                                                formatBytes(high) + ", highest at ")),
                 qPrintable(panel.rangeText()));
        QTest::keyClick(chart, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(chart->range(), std::optional(std::pair(1, 4)));
        QTest::keyClick(chart, Qt::Key_Escape);
        QVERIFY(!chart->range() && panel.rangeText().isEmpty());
        QTest::keyClick(chart, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(chart->range()->first, chart->range()->second);
        panel.showMemory(v.memory, {});
        QVERIFY(!chart->range() && panel.rangeText().isEmpty());
    }

    void memoryCurveShowsItsPeakAndAnyStep() {
        const Sample sample("mlp");
        const Variant v = sample.variant({}, sample.record->partition);
        MemoryPanel panel;
        panel.resize(1000, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel, kPatience));
        panel.showMemory(v.memory, {});
        QCOMPARE(panel.chart()->curve().steps.size(), v.memory->curve.size());
        QCOMPARE(panel.chart()->curve().peak, v.memory->peak);
        QVERIFY(panel.live()->content().summary.startsWith(u"Peak"_s));
        QVERIFY(panel.note().startsWith(u"predicted peak"_s) && !panel.note().contains(u"measured"_s));
        QSignalSpy spy(&panel, &MemoryPanel::nodeSelected);
        const std::size_t step = v.memory->peak == 1 ? 2 : 1;
        QTest::mouseClick(panel.chart(), Qt::LeftButton, {}, panel.chart()->placeOf(step) + QPoint(0, 3));
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.last().first().toInt(), v.memory->curve[step].node);
        QCOMPARE(panel.live()->content().rows.size(), v.memory->liveAt(step).size());
        MeasuredFigures measured;
        measured.peakBytes = 2 * v.memory->peakBytes;
        measured.liveBytes.assign(v.memory->curve.size() - 1, 3'000'000);  // nothing between forward and backward
        panel.showMemory(v.memory, measured, v.arena);
        QVERIFY(panel.note().contains(u"(2.00 × predicted), in one arena "_s) && panel.note().endsWith(v.arena));
        int unknown = 0;
        for (std::size_t i = 0; i < v.memory->curve.size(); ++i) {
            const double seen = panel.chart()->curve().steps[i].measured;
            unknown += seen < 0;
            if (v.memory->curve[i].node != kNoNode) QCOMPARE(seen, 3.0);
        }
        QCOMPARE(unknown, 1);
    }
};

AOTSCOPE_TEST(TestPartitionViews)

}  // namespace aotscope::test::partition_views_test

#include "test_partition_views.moc"
