// Colours by values of nodes, and pictures of differences.

#include "canvas/colouring.h"
#include "canvas/difference_picture.h"
#include "canvas/theme.h"
#include "cost/known_machines.h"
#include "cost/live_memory.h"
#include "io/text_report.h"
#include "support/enumerators.h"
#include "support/test_program.h"
#include "support/text.h"
#include "views/drawings.h"
#include "views/eyes.h"

#include <set>

namespace aotscope::test::colouring_test {
namespace {

ValueSources sourcesOf(const std::shared_ptr<const CompileRecord>& record) {
    ValueSources sources;
    sources.record = record;
    sources.machine = machineOf("cpu");
    return sources;
}

}  // namespace

class TestColouring : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyDimensionColoursEveryGraph_data() {
        rowsOf("dimension", {"dtype", "module", "bytes", "live", "estimated", "age"});
    }
    void everyDimensionColoursEveryGraph() {
        QFETCH(QString, dimension);
        const auto record = recordOf("mlp");
        for (const auto& [kind, graph] : record->graphs) {
            DrawnGraph drawn = drawGraph(*graph, kind, *record);
            const DrawnGraph plain = drawn;
            tint(drawn, valuesOf(*colourByFromName(dimension), *graph, kind, sourcesOf(record)));
            std::set<QString> meanings;
            QVERIFY(!drawn.tints.empty());
            for (const TintMeaning& meaning : drawn.tints) QVERIFY(meanings.insert(meaning.text).second);
            for (const DrawnNode& node : drawn.nodes) {
                QVERIFY(node.tint);
                const auto has = [&](const TintMeaning& m) { return m.tint == *node.tint; };
                QVERIFY(std::any_of(drawn.tints.begin(), drawn.tints.end(), has));
            }
            for (std::size_t i = 0; i < plain.nodes.size(); ++i) QCOMPARE(drawn.nodes[i].size, plain.nodes[i].size);
            clearTints(drawn);
            QVERIFY(drawn.tints.empty());
            for (const DrawnNode& node : drawn.nodes) QVERIFY(!node.tint && node.value.isEmpty());
        }
    }

    void largerIsDarkerOnLight() {
        DrawnGraph drawn = drawText(chainText(3), GraphKind::functional);
        NodeValues values;
        for (int i = 0; i < 3; ++i) values.numbers[drawn.nodes[static_cast<std::size_t>(i)].id] = i * 10;
        tint(drawn, values);
        for (const Theme& theme : everyTheme()) {
            const auto lightness = [&](std::size_t i) {
                const int light = theme.colours(drawn.nodes[i], ColourBy::stage).fill.lightness();
                return theme.scheme.dark ? -light : light;
            };
            QVERIFY(lightness(0) > lightness(1) && lightness(1) > lightness(2));
            QCOMPARE(theme.legend(drawn, ColourBy::stage).size(), drawn.tints.size());
        }
    }

    void aWideRangeIsDividedByMagnitude() {
        DrawnGraph drawn = drawText(chainText(4), GraphKind::functional);
        NodeValues values;
        values.unit = NodeValues::Unit::bytes;
        const std::array<double, 4> sizes = {10, 1000, 100'000, 10'000'000};
        for (std::size_t i = 0; i < 4; ++i) values.numbers[drawn.nodes[i].id] = sizes[i];
        tint(drawn, values);
        std::set<Meaning> seen;
        for (std::size_t i = 0; i < 4; ++i) seen.insert(drawn.nodes[i].tint->meaning);
        QCOMPARE(seen.size(), std::size_t{4});
        values.linear = true;  // only the largest stands out
        tint(drawn, values);
        QCOMPARE(*drawn.nodes[2].tint, *drawn.nodes[0].tint);
        QVERIFY(drawn.nodes[3].tint->weight - drawn.nodes[0].tint->weight == 5);
    }

    void manyWordsRepeatTheColours() {
        DrawnGraph drawn = drawText(chainText(20), GraphKind::functional);
        NodeValues values;
        for (const DrawnNode& node : drawn.nodes)
            if (node.id != kNoNode) values.words[node.id] = u"word %1"_s.arg(node.id);
        tint(drawn, values);
        bool said = false;
        for (const TintMeaning& meaning : drawn.tints) said |= meaning.text.contains(u"colours repeat"_s);
        QVERIFY(said);
        QVERIFY(drawn.tints.size() <= 10);
    }

    void measuredTimesHaveToBeMeasured() {
        const auto record = recordOf("mlp");
        const auto& graph = *record->graph(GraphKind::forward);
        QVERIFY(errorOf([&] {
                    valuesOf(ColourBy::measured, graph, GraphKind::forward, sourcesOf(record));
                }).contains(u"there are no measured times"_s));
    }

    /// The peak is the darkest box, with a label.
    void liveMemoryIsThatOfTheCurve() {
        const auto record = recordOf("mlp");
        const LiveMemory memory = *liveMemory(*record);
        const auto valuesIn = [&](GraphKind kind) {
            return valuesOf(ColourBy::live, *record->graph(kind), kind, sourcesOf(record)).numbers;
        };
        const auto forward = valuesIn(GraphKind::forward), backward = valuesIn(GraphKind::backward),
                   joint = valuesIn(GraphKind::joint);
        std::size_t steps = 0;
        for (const MemoryPoint& point : memory.curve) {
            if (point.node == kNoNode) continue;
            ++steps;
            const auto& half = point.stage == Stage::forward ? forward : backward;
            QCOMPARE(half.at(point.node), static_cast<double>(point.bytes));
            QVERIFY(joint.at(point.node) >= half.at(point.node));
        }
        QCOMPARE(forward.size() + backward.size(), steps);
        QVERIFY(!forward.empty() && !backward.empty());
        QVERIFY(valuesIn(GraphKind::functional).empty());  // its operations are not those that run

        const auto& graph = *record->graph(GraphKind::joint);
        DrawnGraph drawn = drawGraph(graph, GraphKind::joint, *record);
        tint(drawn, valuesOf(ColourBy::live, graph, GraphKind::joint, sourcesOf(record)));
        const DrawnNode& peak = drawn.nodes[static_cast<std::size_t>(drawn.indexOf.at(memory.curve[memory.peak].node))];
        for (const DrawnNode& node : drawn.nodes) QVERIFY(node.tint->weight <= peak.tint->weight);
        QCOMPARE(peak.value, u"Live memory: "_s + q(formatBytes(memory.peakBytes)));
        QVERIFY(placementLines(peak).contains(peak.value));  // of tooltips
        CompileRecord failed;
        ValueSources sources;
        sources.record = std::make_shared<const CompileRecord>(failed);
        QVERIFY(errorOf([&] {
                    valuesOf(ColourBy::live, graph, GraphKind::joint, sources);
                }).contains(u"this run has none"_s));
    }

    /// The nodes of one kernel have one word, in the compiled graph and in the joint graph.
    void kernelsAreThoseOfTheCompilers() {
        const auto record = recordOf("sincos");
        const auto idOf = [&](const char* name) { return record->graph(GraphKind::forward)->findByName(name)->id(); };
        const auto valuesIn = [&](GraphKind kind, std::vector<CompilerUse> compilers) {
            ValueSources sources = sourcesOf(record);
            sources.compilers = std::move(compilers);
            return valuesOf(ColourBy::kernel, *record->graph(kind), kind, sources);
        };
        const std::vector<CompilerUse> compilers = {{GraphKind::forward, "a", "a", "", {{idOf("sin"), idOf("cos")}}},
                                                    {GraphKind::backward, "a", "a", "", {}}};
        for (const GraphKind kind : {GraphKind::forward, GraphKind::joint}) {
            const NodeValues values = valuesIn(kind, compilers);
            QCOMPARE(values.order, std::vector<QString>{u"forward 1 (2 nodes)"_s});
            QCOMPARE(values.words.size(), std::size_t{2});
            for (const char* node : {"sin", "cos"}) QCOMPARE(values.words.at(idOf(node)), values.order.front());
        }
        QVERIFY(valuesIn(GraphKind::backward, compilers).words.empty());
        QVERIFY(
            errorOf([&] { valuesIn(GraphKind::forward, record->compilers); }).contains(u"has a kernel of its own"_s));
    }

    void namesAreReadBack() {
        for (const ColourBy by : kEnumerators<ColourBy>) QCOMPARE(colourByFromName(name(by)), std::optional(by));
        QCOMPARE(kEnumerators<ColourBy>.size(), std::size_t{13});
        QVERIFY(!showsValues(*colourByFromName(u"part"_s)) && showsValues(*colourByFromName(u"overlay"_s)));
    }

    void hitsAndTheSelectionStayApartForEveryEye() {
        for (const Theme& theme : everyTheme())
            for (const Eye& eye : eyes())
                for (const QColor& other : {theme.selection, theme.change, theme.background})
                    QVERIFY2(differenceOf(theme.hit, other, eye) > 12, eye.name);
    }

    void aPictureOfADifferenceHasWhatIsGone() {
        const auto record = recordOf("mutations");
        const auto before = record->graph(GraphKind::preFunctionalization),
                   after = record->graph(GraphKind::functional);
        const GraphDifference difference =
            compareGraphs(*record, before, GraphKind::preFunctionalization, after, GraphKind::functional);
        const DrawnGraph drawn = drawDifference(*record, difference);
        const DrawnGraph plain = drawGraph(*after, GraphKind::functional, *record);
        std::size_t ghosts = 0;
        for (const DrawnNode& node : drawn.nodes) {
            QVERIFY(node.tint);
            ghosts += node.ghost;
            QCOMPARE(node.ghost, isGhost(node.id));
            if (node.ghost) QVERIFY(before->findById(originalId(node.id)));
            if (node.ghost) QCOMPARE(*node.tint, tintOf(DifferenceKind::removed));
        }
        QCOMPARE(drawn.nodes.size(), plain.nodes.size() + ghosts);
        for (const DrawnEdge& edge : drawn.edges) {
            QVERIFY(edge.from >= 0 && edge.from < static_cast<int>(drawn.nodes.size()));
            QVERIFY(edge.to >= 0 && edge.to < static_cast<int>(drawn.nodes.size()));
        }
        QVERIFY(drawn.edges.size() >= plain.edges.size());
    }
};

AOTSCOPE_TEST(TestColouring)

}  // namespace aotscope::test::colouring_test

#include "test_colouring.moc"
