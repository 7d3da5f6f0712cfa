// The drawing of a graph: boxes, the lines in them, edges and marks.

#include "canvas/theme.h"
#include "support/test_program.h"
#include "views/drawings.h"

#include <QFontMetricsF>

#include <set>

namespace aotscope::test::drawing_test {
namespace {

QStringList titles(const DrawnGraph& graph) {
    QStringList list;
    for (const auto& node : graph.nodes) list << node.title;
    return list;
}

QStringList words(const char* text) { return QString::fromUtf8(text).split(u'|'); }

/// "relu>sin" for a flow edge, "relu~cos" for a rung.
QStringList edgeTexts(const DrawnGraph& graph) {
    QStringList list;
    for (const auto& edge : graph.edges)
        list << graph.nodes[static_cast<std::size_t>(edge.from)].title +
                    (edge.kind == DrawnEdge::Kind::rung ? u'~' : u'>') +
                    graph.nodes[static_cast<std::size_t>(edge.to)].title;
    list.sort();
    return list;
}

void addSamples() {
    rowsOf("sample", {"sincos", "mlp", "aliasing", "mutations", "resnet18", "gpt2-tiny", "bert-tiny"});
}

}  // namespace

class TestDrawing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void boxesOfAJointGraph() {
        const DrawnGraph graph = drawText(kTwoLayers);
        QVERIFY(graph.isLadder());
        QCOMPARE(titles(graph), words("x|tangent of output 0|addmm|relu|sin|cos|mul|threshold_backward|t|mm|output 0"));
        QCOMPARE(nodeNamed(graph, "x").kind, DrawnNode::Kind::input);
        QCOMPARE(nodeNamed(graph, "relu").kind, DrawnNode::Kind::call);
        QCOMPARE(graph.nodes.back().kind, DrawnNode::Kind::output);
        QCOMPARE(nodeNamed(graph, "g").stage, Stage::backward);
        QCOMPARE(nodeNamed(graph, "relu").origin.module, u"act"_s);
        QCOMPARE(nodeNamed(graph, "addmm").family, OpFamily::matmul);
    }

    void subgraphsAreLinesOfTheNodeThatRunsThem() {
        const DrawnGraph graph = drawText(
            "graph joint\n  %p : b8[] = placeholder(input)\n  %x : f32[1] = placeholder(input)\n"
            "  %c : (f32[1]) = higher_order.cond(%p, @yes, @no, [%x])\n"
            "  %y : f32[1] = operator.getitem(%c, 0)\n  return [%y : output]\n"
            "graph joint.yes\n  %a : f32[1] = placeholder\n  %b : f32[1] = aten.sin.default(%a)\n  return [%b : "
            "output]\n"
            "graph joint.no\n  %a : f32[1] = placeholder\n  return [%a : output]\n");
        const QStringList lines = nodeNamed(graph, "c").lines;
        QVERIFY2(lines.contains(u"@yes: 1 operation"_s), qPrintable(lines.join(u'|')));
        QVERIFY(lines.contains(u"@no: 0 operations"_s));
    }

    void parametersAreLinesOfTheirUsers() {
        const DrawnGraph graph = drawText(kTwoLayers);
        QVERIFY(!graph.indexOf.count(0) && !graph.indexOf.count(1));
        QCOMPARE(nodeNamed(graph, "addmm").lines, words("layer|f32[2, 4]|bias, weight"));
        const DrawnGraph single = drawText(
            "graph g\n%w : f32[3, 5] = placeholder(parameter) ; id=0 label=\"a.weight\"\n"
            "%t : f32[5, 3] = aten.t.default(%w) ; id=1 module=\"a\"\n%u : f32[5, 3] = aten.sin.default(%w) ; id=2\n"
            "return [%t : output \"o\", %u : output \"p\"]",
            GraphKind::functional);
        QCOMPARE(nodeNamed(single, "t").lines, words("a|f32[5, 3]|weight [3, 5]"));
        QCOMPARE(nodeNamed(single, "u").lines, words("f32[5, 3]|a.weight [3, 5]"));
    }

    void savedValuesAreLinesOfTheirUsersInABackward() {
        const DrawnGraph graph = drawText(
            "graph backward\n%relu : f32[2] = placeholder(saved) ; id=0\n%g : f32[2] = placeholder(tangent) ; id=1\n"
            "%mul : f32[2] = aten.mul.Tensor(%g, %relu) ; id=2\nreturn [%mul : gradient \"x\"]",
            GraphKind::backward);
        QCOMPARE(titles(graph), words("g|mul"));
        QCOMPARE(nodeNamed(graph, "mul").lines, words("f32[2]|saved relu [2]|grad of x"));
    }

    void anInputThatNothingUsesIsNotDrawn() {
        const DrawnGraph graph = drawText(kTwoLayers);
        QCOMPARE(boxNamed(graph, "unused"), -1);
        QVERIFY(!graph.indexOf.count(4));
    }

    void edgesAndRungs() {
        QCOMPARE(edgeTexts(drawText(kTwoLayers)),
                 words("addmm>relu|cos>mul|mul>threshold_backward|relu>sin|relu~cos|relu~threshold_backward|sin>output "
                       "0|t>mm|tangent of output 0>mul|threshold_backward>mm|x>addmm|x~t"));
    }

    void rungsAreOnlyInAJointGraph() {
        for (const auto& edge : drawText(kTwoLayers, GraphKind::functional).edges)
            QCOMPARE(edge.kind, DrawnEdge::Kind::flow);
    }

    void theFirstBackwardOperationIsThePartner() {
        const DrawnGraph graph = drawText(kTwoLayers);
        const auto partner = [&](const char* name) { return nodeNamed(graph, name).partner; };
        QCOMPARE(partner("cos"), boxNamed(graph, "sin"));
        QCOMPARE(partner("mul"), -1);
        QCOMPARE(partner("back"), boxNamed(graph, "relu"));
        QCOMPARE(partner("t"), boxNamed(graph, "addmm"));
        QCOMPARE(partner("mm"), -1);
        QCOMPARE(partner("relu"), -1);
    }

    void elementsOfATupleAreDrawnWithIt() {
        const DrawnGraph graph = drawText(kTuple, GraphKind::functional);
        QCOMPARE(titles(graph), words("x|add|native_layer_norm|add|output 0"));
        const int norm = boxNamed(graph, "norm");
        QCOMPARE(graph.indexOf.at(4), norm);
        QCOMPARE(graph.indexOf.at(5), norm);
        QCOMPARE(nodeNamed(graph, "norm").lines, words("norm|f32[2, 4]  +1"));
        QCOMPARE(edgeTexts(graph), words("add>output 0|native_layer_norm>add|x>native_layer_norm"));
    }

    void marksOfAnElementAreMarksOfTheTuple() {
        const auto graph = parseSound(kTuple);
        Partition partition;
        partition.saved.push_back({graph->findByName("second")->id()});
        partition.recomputed.push_back({graph->findByName("first")->id()});
        const DrawnGraph drawn = drawGraph(*graph, GraphKind::joint, &partition);
        for (const auto& node : drawn.nodes) {
            QCOMPARE(node.placement.saved, node.name == "%norm"_L1);
            QCOMPARE(node.placement.recomputed, node.name == "%norm"_L1);
        }
    }

    void updatesAndGradientsAreLines() {
        const DrawnGraph tuple = drawText(kTuple, GraphKind::functional);
        QCOMPARE(nodeNamed(tuple, "steps").lines, words("norm|i64[]|steps []|updates steps"));
        QCOMPARE(nodeNamed(drawText(kTwoLayers), "mm").lines.last(), u"grad of weight"_s);
    }

    void longLinesAreShortened() {
        const QString module = u"encoder."_s + QString(60, u'm'), label = QString(80, u'w');
        const QString text =
            u"graph g\n%w : f32[3] = placeholder(parameter) ; id=0 label=\"%1\"\n%t : f32[3] = "
            "aten.sin.default(%w) ; id=1 module=\"%2\"\nreturn [%t : output \"o\"]"_s.arg(label, module);
        const DrawnGraph graph = drawText(text.toStdString(), GraphKind::functional);
        const QStringList lines = nodeNamed(graph, "t").lines;
        QCOMPARE(lines[0], QString(40, u'm'));  // the end of a module's name is the most informative
        QCOMPARE(lines[2], QString(39, u'w') + u'…');
        QCOMPARE(nodeNamed(graph, "t").origin.module, module);
    }

    void boxesHoldTheirText() {
        for (const auto& node : drawSample("mlp").nodes) {
            const QFontMetricsF title(titleFont()), line(lineFont());
            qreal width = title.horizontalAdvance(node.title);
            for (const QString& text : node.lines) width = std::max(width, line.horizontalAdvance(text));
            QVERIFY(node.size.width() > width);
            QVERIFY(node.size.height() > title.height() + static_cast<qreal>(node.lines.size()) * line.height());
        }
    }

    void anEmptyGraphHasNoBoxes() {
        for (const GraphKind kind : {GraphKind::joint, GraphKind::functional}) {
            const DrawnGraph graph = drawText("graph empty\n  return []\n", kind);
            QVERIFY(graph.nodes.empty() && graph.edges.empty());
        }
    }

    // --- samples ---

    void everyValueIsDrawnOrAttached_data() { addSamples(); }
    void everyValueIsDrawnOrAttached() {
        QFETCH(QString, sample);
        const auto record = recordOf(sample.toStdString());
        for (const auto& [kind, graph] : record->graphs) {
            const DrawnGraph drawn = drawGraph(*graph, kind, record->partition.get());
            for (const Node* node : graph->nodes())
                if (node->kind() == NodeKind::call) QVERIFY2(drawn.indexOf.count(node->id()), node->name().c_str());
            for (const auto& [id, box] : drawn.indexOf) QVERIFY(box >= 0 && box < static_cast<int>(drawn.nodes.size()));
            std::set<std::pair<int, int>> seen;
            for (const auto& edge : drawn.edges) {
                QVERIFY(edge.from != edge.to);
                QVERIFY2(seen.emplace(edge.from, edge.to).second, "two edges between the same boxes");
            }
        }
    }

    void marksAreThePartitions_data() { addSamples(); }
    void marksAreThePartitions() {
        QFETCH(QString, sample);
        const auto record = recordOf(sample.toStdString());
        const DrawnGraph drawn = drawSample(sample.toStdString());
        std::set<int> saved, recomputed;
        for (const auto& value : record->partition->saved)
            if (const auto it = drawn.indexOf.find(value.node); it != drawn.indexOf.end()) saved.insert(it->second);
        for (const auto& value : record->partition->recomputed) recomputed.insert(drawn.indexOf.at(value.node));
        for (int i = 0; i < static_cast<int>(drawn.nodes.size()); ++i) {
            QCOMPARE(drawn.nodes[static_cast<std::size_t>(i)].placement.saved, saved.count(i) > 0);
            QCOMPARE(drawn.nodes[static_cast<std::size_t>(i)].placement.recomputed, recomputed.count(i) > 0);
        }
        QVERIFY(!saved.empty());
    }

    void rungsGoFromForwardToBackward_data() { addSamples(); }
    void rungsGoFromForwardToBackward() {
        QFETCH(QString, sample);
        const DrawnGraph drawn = drawSample(sample.toStdString());
        int rungs = 0;
        for (const auto& edge : drawn.edges) {
            const Stage from = drawn.nodes[static_cast<std::size_t>(edge.from)].stage,
                        to = drawn.nodes[static_cast<std::size_t>(edge.to)].stage;
            QCOMPARE(edge.kind == DrawnEdge::Kind::rung, from == Stage::forward && to == Stage::backward);
            rungs += edge.kind == DrawnEdge::Kind::rung ? 1 : 0;
        }
        QVERIFY(rungs > 0);
    }
};

AOTSCOPE_TEST(TestDrawing)

}  // namespace aotscope::test::drawing_test

#include "test_drawing.moc"
