// Colours by values of nodes, and pictures of differences.

#include "canvas/colouring.h"
#include "canvas/difference_picture.h"
#include "canvas/theme.h"
#include "cost/live_memory.h"
#include "io/text_report.h"
#include "support/text.h"
#include "views/drawings.h"

#include <QtTest>

#include <set>

using namespace aotscope;
using namespace aotscope::test;

namespace {

ValueSources sourcesOf(const std::shared_ptr<const CompileRecord>& record) {
    ValueSources sources;
    sources.record = record;
    return sources;
}

}  // namespace

class TestColouring : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyDimensionColoursEveryGraph_data() {
        QTest::addColumn<QString>("dimension");
        for (const char* text : {"dtype", "module", "bytes", "live", "estimated", "age"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void everyDimensionColoursEveryGraph() {
        QFETCH(QString, dimension);
        const auto record = recordOf("mlp");
        for (const auto& [kind, graph] : record->graphs) {
            DrawnGraph drawn = drawGraph(*graph, kind, *record);
            const DrawnGraph plain = drawn;
            tint(drawn, valuesOf(*dimensionFromName(dimension), *graph, kind, sourcesOf(record)));
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
        QVERIFY(drawn.nodes[0].tint->light.lightness() > drawn.nodes[1].tint->light.lightness());
        QVERIFY(drawn.nodes[1].tint->light.lightness() > drawn.nodes[2].tint->light.lightness());
        QVERIFY(drawn.nodes[0].tint->dark.lightness() < drawn.nodes[2].tint->dark.lightness());
        for (const Theme& theme : {Theme::light(), Theme::dark()}) {
            const auto legend = theme.legend(drawn, ColourBy::stage);
            QCOMPARE(legend.size(), drawn.tints.size());
            for (const DrawnNode& node : drawn.nodes) {
                const NodeColours c = theme.colours(node, ColourBy::stage);
                for (const QColor& text : {c.text, c.lines})  // can be read
                    QVERIFY(std::abs(text.lightness() - c.fill.lightness()) > 60);
            }
        }
    }

    void aWideRangeIsDividedByMagnitude() {
        DrawnGraph drawn = drawText(chainText(4), GraphKind::functional);
        NodeValues values;
        values.unit = NodeValues::Unit::bytes;
        const std::array<double, 4> sizes = {10, 1000, 100'000, 10'000'000};
        for (std::size_t i = 0; i < 4; ++i) values.numbers[drawn.nodes[i].id] = sizes[i];
        tint(drawn, values);
        std::set<int> seen;
        for (std::size_t i = 0; i < 4; ++i) seen.insert(drawn.nodes[i].tint->light.lightness());
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
            if (node.id != kNoNode) values.words[node.id] = QStringLiteral("word %1").arg(node.id);
        tint(drawn, values);
        bool said = false;
        for (const TintMeaning& meaning : drawn.tints) said |= meaning.text.contains(QStringLiteral("colours repeat"));
        QVERIFY(said);
        QVERIFY(drawn.tints.size() <= 10);
    }

    void measuredTimesHaveToBeMeasured() {
        const auto record = recordOf("mlp");
        const auto& graph = *record->graph(GraphKind::forward);
        QVERIFY(errorOf([&] {
                    valuesOf(Dimension::measured, graph, GraphKind::forward, sourcesOf(record));
                }).contains(QStringLiteral("nothing has been timed")));
    }

    /// The peak is the darkest box, and says so.
    void liveMemoryIsThatOfTheCurve() {
        const auto record = recordOf("mlp");
        const LiveMemory memory = *liveMemory(*record);
        const auto valuesIn = [&](GraphKind kind) {
            return valuesOf(Dimension::live, *record->graph(kind), kind, sourcesOf(record)).numbers;
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
        tint(drawn, valuesOf(Dimension::live, graph, GraphKind::joint, sourcesOf(record)));
        const DrawnNode& peak = drawn.nodes[static_cast<std::size_t>(drawn.indexOf.at(memory.curve[memory.peak].node))];
        for (const DrawnNode& node : drawn.nodes) QVERIFY(node.tint->weight <= peak.tint->weight);
        QCOMPARE(peak.value, QStringLiteral("Live memory: ") + q(formatBytes(memory.peakBytes)));
        QVERIFY(fateLines(peak).contains(peak.value));  // of tooltips
        CompileRecord failed;
        ValueSources sources;
        sources.record = std::make_shared<const CompileRecord>(failed);
        QVERIFY(errorOf([&] {
                    valuesOf(Dimension::live, graph, GraphKind::joint, sources);
                }).contains(QStringLiteral("this run has none")));
    }

    void namesAreReadBack() {
        for (int i = 0; i < 8; ++i)
            QCOMPARE(dimensionFromName(name(static_cast<Dimension>(i))), static_cast<Dimension>(i));
        QVERIFY(!dimensionFromName(QStringLiteral("part")));
    }

    void aPictureOfADifferenceHasWhatIsGone() {
        const auto record = recordOf("mutations");
        const auto before = record->graph(GraphKind::forwardTraced), after = record->graph(GraphKind::functional);
        const GraphDifference difference =
            compareGraphs(*record, before, GraphKind::forwardTraced, after, GraphKind::functional);
        const DrawnGraph drawn = drawDifference(*record, difference);
        const DrawnGraph plain = drawGraph(*after, GraphKind::functional, *record);
        std::size_t ghosts = 0;
        for (const DrawnNode& node : drawn.nodes) {
            QVERIFY(node.tint);
            ghosts += node.ghost;
            QCOMPARE(node.ghost, isGhost(node.id));
            if (node.ghost) QVERIFY(before->findById(originalId(node.id)));
            if (node.ghost) QCOMPARE(*node.tint, tintOf(NodeFate::removed));
        }
        QCOMPARE(drawn.nodes.size(), plain.nodes.size() + ghosts);
        for (const DrawnEdge& edge : drawn.edges) {
            QVERIFY(edge.from >= 0 && edge.from < static_cast<int>(drawn.nodes.size()));
            QVERIFY(edge.to >= 0 && edge.to < static_cast<int>(drawn.nodes.size()));
        }
        QVERIFY(drawn.edges.size() >= plain.edges.size());
    }
};

QTEST_MAIN(TestColouring)
#include "test_colouring.moc"
