// Colours by values of nodes, and pictures of differences.

#include "canvas/colouring.h"
#include "canvas/difference_picture.h"
#include "canvas/theme.h"
#include "cost/live_memory.h"
#include "io/text_report.h"
#include "support/text.h"
#include "views/drawings.h"

#include <QGenericMatrix>
#include <QVector3D>
#include <QtTest>

#include <cmath>
#include <set>

using namespace aotscope;
using namespace aotscope::test;

namespace {

ValueSources sourcesOf(const std::shared_ptr<const CompileRecord>& record) {
    ValueSources sources;
    sources.record = record;
    return sources;
}

/// Linear RGB as seen with three kinds of colour blindness, after Machado et al. (2009).
using Eye = QMatrix3x3;
const float kRed[] = {0.152286F, 1.052583F,  -0.204868F, 0.114503F, 0.786281F,
                      0.099216F, -0.003882F, -0.048116F, 1.051998F};
const float kGreen[] = {0.367322F, 0.860646F,  -0.227968F, 0.280085F, 0.672501F,
                        0.047413F, -0.011820F, 0.042940F,  0.968881F};
const float kBlue[] = {1.255528F, -0.076749F, -0.178779F, -0.078411F, 0.930809F,
                       0.147602F, 0.004733F,  0.691367F,  0.303900F};
const std::vector<std::pair<const char*, Eye>> kEyes = {
    {"all colours", Eye()}, {"no red", Eye(kRed)}, {"no green", Eye(kGreen)}, {"no blue", Eye(kBlue)}};

QVector3D times(const Eye& m, const QVector3D& v) {
    QVector3D result;
    for (int row = 0; row < 3; ++row) result[row] = m(row, 0) * v.x() + m(row, 1) * v.y() + m(row, 2) * v.z();
    return result;
}

/// CIE L*a*b*, in which distances are perceptual.
QVector3D lab(const QColor& colour, const Eye& eye) {
    const auto linear = [](float x) { return x <= 0.04045F ? x / 12.92F : std::pow((x + 0.055F) / 1.055F, 2.4F); };
    QVector3D rgb = times(eye, {linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())});
    for (int i = 0; i < 3; ++i) rgb[i] = std::clamp(rgb[i], 0.0F, 1.0F);
    const float toXyz[] = {0.4339F, 0.3762F, 0.1899F, 0.2126F, 0.7152F, 0.0722F, 0.0177F, 0.1095F, 0.8728F};
    const QVector3D xyz = times(Eye(toXyz), rgb);
    const auto f = [](float t) { return t > 0.008856F ? std::cbrt(t) : 7.787F * t + 16.0F / 116; };
    const QVector3D root(f(xyz.x()), f(xyz.y()), f(xyz.z()));
    return {116 * root.y() - 16, 500 * (root.x() - root.y()), 200 * (root.y() - root.z())};
}

float difference(const QColor& a, const QColor& b, const Eye& eye) { return (lab(a, eye) - lab(b, eye)).length(); }

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
                }).contains(QStringLiteral("there are no measured times")));
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
        QVERIFY(placementLines(peak).contains(peak.value));  // of tooltips
        CompileRecord failed;
        ValueSources sources;
        sources.record = std::make_shared<const CompileRecord>(failed);
        QVERIFY(errorOf([&] {
                    valuesOf(Dimension::live, graph, GraphKind::joint, sources);
                }).contains(QStringLiteral("this run has none")));
    }

    /// The nodes of one kernel have one word, in the compiled graph and in the joint graph.
    void kernelsAreThoseOfTheCompilers() {
        const auto record = recordOf("sincos");
        const auto idOf = [&](const char* name) { return record->graph(GraphKind::forward)->findByName(name)->id(); };
        const auto valuesIn = [&](GraphKind kind, std::vector<CompilerUse> compilers) {
            ValueSources sources = sourcesOf(record);
            sources.compilers = std::move(compilers);
            return valuesOf(Dimension::kernel, *record->graph(kind), kind, sources);
        };
        const std::vector<CompilerUse> compilers = {{"forward", "a", "a", "", {{idOf("sin"), idOf("cos")}}},
                                                    {"backward", "a", "a", "", {}}};
        for (const GraphKind kind : {GraphKind::forward, GraphKind::joint}) {
            const NodeValues values = valuesIn(kind, compilers);
            QCOMPARE(values.order, std::vector<QString>{QStringLiteral("forward 1 (2 nodes)")});
            QCOMPARE(values.words.size(), std::size_t{2});
            for (const char* node : {"sin", "cos"}) QCOMPARE(values.words.at(idOf(node)), values.order.front());
        }
        QVERIFY(valuesIn(GraphKind::backward, compilers).words.empty());
        QVERIFY(errorOf([&] {
                    valuesIn(GraphKind::forward, record->compilers);
                }).contains(QStringLiteral("has a kernel of its own")));
    }

    void namesAreReadBack() {
        for (int i = 0; i < 9; ++i)
            QCOMPARE(dimensionFromName(name(static_cast<Dimension>(i))), static_cast<Dimension>(i));
        QVERIFY(!dimensionFromName(QStringLiteral("part")));
    }

    void hitsAndTheSelectionStayApartForEveryEye() {
        for (const Theme& theme : {Theme::light(), Theme::dark()})
            for (const auto& [eye, seen] : kEyes)
                for (const QColor& other : {theme.selection, theme.change, theme.background})
                    QVERIFY2(difference(theme.hit, other, seen) > 30, eye);
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

QTEST_MAIN(TestColouring)
#include "test_colouring.moc"
