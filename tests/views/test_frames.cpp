// Every operation is in the frame of its own module: in every graph that is drawn with frames, and in differences.

#include "canvas/difference_picture.h"
#include "canvas/layout/groups.h"
#include "ir/provenance.h"
#include "load/sample_list.h"
#include "record/graph_difference.h"
#include "record/pass_graphs.h"
#include "support/long_tests.h"
#include "support/test_program.h"
#include "views/drawings.h"

#include <set>

namespace aotscope::test::frames_test {
namespace {

QString around(const QString& path) { return path.left(std::max<qsizetype>(path.lastIndexOf(u'.'), 0)); }

/// Modules that have frames in this picture.
std::set<QString> framed(const GroupTree& tree) {
    std::set<QString> paths{QString()};
    for (std::size_t g = 0; g < tree.size(); ++g) paths.insert(tree.groups[g].path);
    return paths;
}

/// A box of another module than Inspector and exports show for its operation.
QString wrongModule(const DrawnGraph& drawn, const Graph& graph) {
    for (const Node* node : graph.nodes()) {
        const auto place = drawn.indexOf.find(node->id());
        if (place == drawn.indexOf.end()) continue;
        const DrawnNode& box = drawn.nodes[static_cast<std::size_t>(place->second)];
        const auto source = provenanceOf(*node).source;
        if (box.id == node->id() && box.origin.module != (source ? toQString(source->module) : QString()))
            return box.name;
    }
    return {};
}

/// A box that is not in the innermost frame of its module, or that lacks the rest of the module's name.
QString misplaced(const DrawnGraph& graph) {
    const std::set<QString> paths = framed(*graph.groups);
    for (const auto& node : graph.nodes) {
        QString expected = node.kind == DrawnNode::Kind::call ? node.origin.module : QString();
        while (!paths.contains(expected)) expected = around(expected);
        const QString frame = (*graph.groups)[node.within].path;
        if (frame != expected) return u"%1 of \"%2\" is in \"%3\""_s.arg(node.name, node.origin.module, frame);
        const QString rest = expected.isEmpty() ? node.origin.module : node.origin.module.mid(expected.size() + 1);
        if (!rest.isEmpty() && !rest.endsWith(node.lines.value(0))) return u"%1 does not say %2"_s.arg(node.name, rest);
    }
    return {};
}

/// An operation on parameters alone that is not in the same call of its module as its first user.
QString awayFromItsUser(const DrawnGraph& graph) {
    std::vector<bool> fed(graph.nodes.size(), false);
    std::vector<int> user(graph.nodes.size(), -1);
    for (const auto& edge : graph.edges) {
        if (edge.kind == DrawnEdge::Kind::rung) continue;
        fed[static_cast<std::size_t>(edge.to)] = true;
        int& first = user[static_cast<std::size_t>(edge.from)];
        if (first < 0 || edge.to < first) first = edge.to;
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const DrawnNode& node = graph.nodes[i];
        if (fed[i] || user[i] < 0 || node.kind != DrawnNode::Kind::call) continue;
        const DrawnNode& first = graph.nodes[static_cast<std::size_t>(user[i])];
        if (first.origin.module == node.origin.module && first.within != node.within)
            return node.name + u" is away from "_s + first.name;
    }
    return {};
}

bool tested(const SampleInfo& sample) { return longTests() || !isLargeSample(sample.name); }

}  // namespace

class TestFrames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nodesStandInTheFramesOfTheirModules_data() {
        columns<QString, bool>("sample", "inference");
        for (const SampleInfo& sample : sampleList())
            for (const bool inference : {false, true})
                if (tested(sample))
                    QTest::addRow("%s, %s", sample.name.c_str(), inference ? "inference" : "training")
                        << QString::fromStdString(sample.name) << inference;
    }
    void nodesStandInTheFramesOfTheirModules() {
        QFETCH(QString, sample);
        QFETCH(bool, inference);
        const auto record = recordOf(sample.toStdString(), inference);
        for (const PassGraph& left : graphsOf(*record)) {
            const auto drawn = withGroups(drawGraph(*left.graph, left.kind, *record));
            QCOMPARE(wrongModule(*drawn, *left.graph), QString());
            QCOMPARE(misplaced(*drawn), QString());
            QCOMPARE(awayFromItsUser(*drawn), QString());
        }
    }

    void theSameHoldsInDifferences_data() { nodesStandInTheFramesOfTheirModules_data(); }
    void theSameHoldsInDifferences() {
        QFETCH(QString, sample);
        QFETCH(bool, inference);
        const auto record = recordOf(sample.toStdString(), inference);
        const std::vector<PassGraph> graphs = graphsOf(*record);
        for (std::size_t i = 1; i < graphs.size(); ++i)
            for (const PassGraph* before : {&graphs[0], &graphs[i - 1]}) {
                const PassGraph& after = graphs[i];
                const auto difference = compareGraphs(*record, before->graph, before->kind, after.graph, after.kind);
                QCOMPARE(misplaced(*withGroups(drawDifference(*record, difference))), QString());
            }
    }
};

AOTSCOPE_TEST(TestFrames)

}  // namespace aotscope::test::frames_test

#include "test_frames.moc"
