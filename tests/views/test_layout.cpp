// Layouts: rows, Graphviz's answers, and rules that every finished layout keeps.

#include "canvas/layout/edge_routes.h"
#include "canvas/layout/layout_job.h"
#include "canvas/layout/plain_parser.h"
#include "canvas/layout/row_index.h"
#include "canvas/layout/rows.h"
#include "canvas/visible.h"
#include "support/test_program.h"
#include "views/drawings.h"
#include "views/layout_rules.h"

#include <algorithm>
#include <random>
#include <set>

namespace aotscope::test::layout_test {
namespace {

int rowOf(const std::vector<int>& rows, const DrawnGraph& graph, const char* name) {
    return rows.at(static_cast<std::size_t>(boxNamed(graph, name)));
}

/// Hand-written graphs and those of samples, as (name of a sample or text, kind).
void addGraphs() {
    const auto text = columns<QString, GraphKind>("source", "kind");
    text("two layers", std::string(kTwoLayers), GraphKind::joint);
    text("tuple and counter", std::string(kTuple), GraphKind::functional);
    text("counters side by side", std::string(kCounters), GraphKind::functional);
    text("counters in a ladder", std::string(kCounters), GraphKind::joint);
    text("long chain", chainText(60), GraphKind::functional);
    text("nothing", "graph empty\n  return []\n", GraphKind::functional);
    text("nothing in a ladder", "graph empty\n  return []\n", GraphKind::joint);
    text("one box", "graph one\n%x : f32[2] = aten.ones.default([2])\nreturn [%x : gradient \"w\"]", GraphKind::joint);
    text("input returned", "graph id\n%x : f32[2] = placeholder(input)\nreturn [%x : output \"o\"]",
         GraphKind::inference);
    for (const char* sample : {"sincos", "mlp", "aliasing", "mutations", "resnet18", "gpt2-tiny", "bert-tiny"})
        for (const auto& [kind, graph] : recordOf(sample)->graphs)
            QTest::addRow("%s, %s", sample, name(kind).data()) << QString::fromUtf8(sample) << kind;
}

DrawnGraph drawn(const QString& source, GraphKind kind) {
    return source.contains(u'\n') ? drawText(source.toStdString(), kind) : drawSample(source.toStdString(), kind);
}

}  // namespace

class TestLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- places ---

    /// In a picture that is wide, high, or both, and with boxes of very different widths.
    void rectanglesAreFoundByPlace() {
        std::mt19937 random(3);
        const auto below = [&](int n) { return static_cast<double>(random() % static_cast<unsigned>(n)); };
        for (const auto& [width, height] : {std::pair{100'000, 100}, std::pair{300, 9'000}, std::pair{4'000, 4'000}}) {
            std::vector<QRectF> rectangles;
            for (int i = 0; i < 400; ++i)
                rectangles.emplace_back(below(width), below(height), 1 + below(i % 50 == 0 ? width : 200),
                                        1 + below(90));
            const RowIndex index(rectangles);
            for (int i = 0; i < 300; ++i) {
                const QRectF area(below(width) - 50, below(height) - 50, below(i % 2 ? 900 : 5),
                                  below(i % 3 ? 5 : 700));
                std::set<int> expected, visited, asked;
                for (int r = 0; r < 400; ++r) {
                    const QRectF& own = rectangles[static_cast<std::size_t>(r)];
                    if (own.left() <= area.right() && own.right() >= area.left() && own.top() <= area.bottom() &&
                        own.bottom() >= area.top())
                        expected.insert(r);
                }
                index.visit(area, [&](int r) { return visited.insert(r).second; });
                QVERIFY(!index.anyOf(area, [&](int r) { return asked.insert(r), false; }));
                QVERIFY(visited == expected);
                QVERIFY(asked == expected);
                QCOMPARE(index.anyOf(area, [](int) { return true; }), !expected.empty());
            }
        }
        QVERIFY(!RowIndex().anyOf({0, 0, 1, 1}, [](int) { return true; }));
    }

    // --- Graphviz's answers ---

    void plainAnswerIsRead() {
        const PlainLayout layout = parsePlain(
            "graph 1 4.5 3\nnode n0 1 2.75 1 0.5 \"\" solid box black lightgrey\nnode n12 2.5 .25 1 0.5 \"\" solid\n"
            "edge n0 n12 4 1 2.5 1.5 2 2 1 2.5 0.5 solid black\n\nedge n0 n0 0\nstop\n");
        QCOMPARE(layout.width, 4.5);
        QCOMPARE(layout.height, 3.0);
        QCOMPARE(layout.nodes.size(), 2);
        QCOMPARE(layout.centreOf("n0"), QPointF(1, 2.75));
        QCOMPARE(layout.centreOf("n12"), QPointF(2.5, 0.25));
        QCOMPARE(layout.edges.size(), std::size_t{2});
        QCOMPARE(layout.edges[0].head, QByteArray("n12"));
        QCOMPARE(layout.edges[0].points, (std::vector<QPointF>{{1, 2.5}, {1.5, 2}, {2, 1}, {2.5, 0.5}}));
        QVERIFY(layout.edges[1].points.empty());
    }

    void brokenAnswers_data() {
        const auto row = columns<QByteArray, QString>("answer", "sentence");
        row("empty", "", "Graphviz's answer is incomplete: it ends before 'stop'");
        row("cut off", "graph 1 2 2\nnode n0 1 1 1 1\n", "Graphviz's answer is incomplete: it ends before 'stop'");
        row("other text", "Error: syntax error in line 1\n", "Graphviz's answer is incomplete: it ends before 'stop'");
        row("word for a number", "graph 1 wide 2\nstop\n",
            "Graphviz's answer cannot be read: expected a number in 'graph 1 wide 2'");
        row("node without place", "graph 1 2 2\nnode n0 1\nstop\n",
            "Graphviz's answer cannot be read: expected a number in 'node n0 1'");
        row("fewer points than said", "graph 1 2 2\nedge n0 n1 4 1 1 2 2\nstop\n",
            "Graphviz's answer cannot be read: expected a number in 'edge n0 n1 4 1 1 2 2'");
        row("no count", "graph 1 2 2\nedge n0 n1\nstop\n",
            "Graphviz's answer cannot be read: expected a number in 'edge n0 n1'");
    }
    void brokenAnswers() {
        QFETCH(QByteArray, answer);
        QFETCH(QString, sentence);
        QCOMPARE(errorOf([&] { parsePlain(answer); }), sentence);
    }

    void anAnswerWithoutOneOfTheBoxesIsAnError() {
        const DrawnGraph graph = drawText(kTuple, GraphKind::functional);
        const LayoutPlan plan = planLayout(graph);
        QCOMPARE(errorOf([&] { composeLayout(graph, plan, {"graph 1 2 2\nnode n0 1 1 1 1\nstop\n"}); }),
                 u"Graphviz's answer does not contain node 'n2'"_s);
    }

    // --- rows ---

    void rowsOfALadder() {
        const DrawnGraph graph = drawText(kTwoLayers);
        const auto rows = ladderRows(graph);
        const auto row = [&](const char* name) { return rowOf(rows, graph, name); };
        QCOMPARE(*std::min_element(rows.begin(), rows.end()), 0);
        for (const auto& [backward, forward] :
             {std::pair{"cos", "sin"}, std::pair{"back", "relu"}, std::pair{"t", "addmm"}})
            QCOMPARE(row(backward), row(forward));
        QVERIFY(row("x") < row("addmm") && row("addmm") < row("relu") && row("relu") < row("sin"));
        QVERIFY(row("mm") < row("back") && row("back") < row("mul") && row("mul") < row("g"));
    }

    void rowsOfAFlow() {
        const DrawnGraph graph = drawText(kTuple, GraphKind::functional);
        const auto rows = flowRows(graph);
        QCOMPARE(rowOf(rows, graph, "x"), 0);
        QCOMPARE(rowOf(rows, graph, "norm"), 1);
        QCOMPARE(rowOf(rows, graph, "add"), 2);
        QCOMPARE(rows.back(), 3);
    }

    void anInputStandsAboveItsFirstUser() {
        const DrawnGraph graph = drawText(
            "graph late\n%x : f32[2] = placeholder(input)\n%late : f32[2] = placeholder(input)\n"
            "%a : f32[2] = aten.sin.default(%x)\n%b : f32[2] = aten.sin.default(%a)\n"
            "%c : f32[2] = aten.add.Tensor(%b, %late)\nreturn [%c : output \"o\"]",
            GraphKind::functional);
        const auto rows = flowRows(graph);
        QCOMPARE(rowOf(rows, graph, "late"), rowOf(rows, graph, "c") - 1);
    }

    void aSharedWeightsTransposeStandsAboveItsFirstUser() {
        const DrawnGraph graph = drawText(R"(graph tied
  %w : f32[4, 4] = placeholder(parameter)  ; id=0
  %x : f32[4, 4] = placeholder(input)  ; id=1
  %g : f32[4, 4] = placeholder(tangent)  ; id=2 stage=backward
  %a : f32[4, 4] = aten.mm.default(%x, %w)  ; id=3 seq=1
  %b : f32[4, 4] = aten.sin.default(%a)  ; id=4 seq=2
  %c : f32[4, 4] = aten.sin.default(%b)  ; id=5 seq=3
  %t : f32[4, 4][1, 4] = aten.t.default(%w)  ; id=6 seq=4
  %m : f32[4, 4] = aten.mm.default(%c, %t)  ; id=7 seq=5
  %gm : f32[4, 4] = aten.mm.default(%c, %g)  ; id=8 stage=backward seq=5 forward=7
  %gt : f32[4, 4][1, 4] = aten.t.default(%gm)  ; id=9 stage=backward seq=4 forward=6
  %gc : f32[4, 4] = aten.mm.default(%g, %t)  ; id=10 stage=backward seq=5 forward=7
  %gb : f32[4, 4] = aten.mul.Tensor(%gc, %b)  ; id=11 stage=backward seq=3 forward=5
  %ga : f32[4, 4] = aten.mul.Tensor(%gb, %a)  ; id=12 stage=backward seq=2 forward=4
  %gw : f32[4, 4] = aten.mm.default(%x, %ga)  ; id=13 stage=backward seq=1 forward=3
  %sum : f32[4, 4] = aten.add.Tensor(%gw, %gt)  ; id=14 stage=backward
  return [%m : output "output 0", %sum : gradient "w"]
)");
        const auto rows = ladderRows(graph);
        QCOMPARE(flowProblem(graph, rows), QString());
        QCOMPARE(rowOf(rows, graph, "t"), rowOf(rows, graph, "m") - 1);
    }

    void pairsThatContradictTheFlowAreDropped() {
        // The backward of b comes before the backward of a, and b is above a in forward: no row can hold both
        // pairs.
        const DrawnGraph graph = drawText(
            "graph odd\n%x : f32[2] = placeholder(input) ; id=0\n%g : f32[2] = placeholder(tangent) ; id=1 "
            "stage=backward\n%a : f32[2] = aten.sin.default(%x) ; id=2\n%b : f32[2] = aten.sin.default(%a) ; id=3\n"
            "%ga : f32[2] = aten.neg.default(%g) ; id=4 stage=backward forward=2\n"
            "%gb : f32[2] = aten.neg.default(%ga) ; id=5 stage=backward forward=3\n"
            "return [%b : output \"o\", %gb : gradient \"x\"]");
        const auto rows = ladderRows(graph);
        QCOMPARE(flowProblem(graph, rows), QString());
        const int level = (rowOf(rows, graph, "ga") == rowOf(rows, graph, "a") ? 1 : 0) +
                          (rowOf(rows, graph, "gb") == rowOf(rows, graph, "b") ? 1 : 0);
        QCOMPARE(level, 1);
    }

    void flowGoesOneWay_data() { addGraphs(); }
    void flowGoesOneWay() {
        QFETCH(QString, source);
        QFETCH(GraphKind, kind);
        const DrawnGraph graph = drawn(source, kind);
        const auto rows = graph.isLadder() ? ladderRows(graph) : flowRows(graph);
        QCOMPARE(rows.size(), graph.nodes.size());
        QVERIFY(std::all_of(rows.begin(), rows.end(), [](int row) { return row >= 0; }));
        QCOMPARE(flowProblem(graph, rows), QString());
    }

    void partnersAreLevelInSamples_data() { rowsOf("sample", {"sincos", "mlp", "resnet18", "gpt2-tiny", "bert-tiny"}); }
    void partnersAreLevelInSamples() {
        QFETCH(QString, sample);
        const DrawnGraph graph = drawSample(sample.toStdString());
        const auto rows = ladderRows(graph);
        int pairs = 0, level = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (graph.nodes[i].partner < 0) continue;
            ++pairs;
            level += rows[i] == rows[static_cast<std::size_t>(graph.nodes[i].partner)] ? 1 : 0;
        }
        QVERIFY(pairs > 0);
        QVERIFY2(10 * level >= 9 * pairs, qPrintable(u"%1 of %2 pairs"_s.arg(level).arg(pairs)));
    }

    // --- plans ---

    void aLadderHasTwoColumns() {
        const DrawnGraph graph = drawText(kTwoLayers);
        const LayoutPlan plan = planLayout(graph);
        QCOMPARE(plan.columns.size(), std::size_t{2});
        QVERIFY(!plan.columns[0].upward && plan.columns[1].upward);
        for (const auto& column : plan.columns) {
            for (int node : column.nodes)
                QCOMPARE(graph.nodes[static_cast<std::size_t>(node)].stage,
                         column.upward ? Stage::backward : Stage::forward);
            for (int edge : column.edges)
                QCOMPARE(graph.edges[static_cast<std::size_t>(edge)].kind, DrawnEdge::Kind::flow);
        }
        QCOMPARE(planLayout(drawText(kTwoLayers, GraphKind::functional)).columns.size(), std::size_t{1});
    }

    void everyBoxIsInOneColumnOnce_data() { addGraphs(); }
    void everyBoxIsInOneColumnOnce() {
        QFETCH(QString, source);
        QFETCH(GraphKind, kind);
        const DrawnGraph graph = drawn(source, kind);
        std::vector<int> seen(graph.nodes.size(), 0);
        for (const auto& column : planLayout(graph).columns) {
            for (int node : column.nodes) ++seen[static_cast<std::size_t>(node)];
            for (const auto& [node, neighbour] : column.aside) {
                ++seen[static_cast<std::size_t>(node)];
                QVERIFY(std::count(column.nodes.begin(), column.nodes.end(), neighbour) == 1);
            }
        }
        QVERIFY(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
    }

    void longEdgesAndManyUsersBecomeStubs() {
        const DrawnGraph graph = drawText(chainText(60), GraphKind::functional);
        const LayoutPlan plan = planLayout(graph);
        int stubs = 0;
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            const auto& edge = graph.edges[e];
            const int span =
                plan.rows[static_cast<std::size_t>(edge.to)] - plan.rows[static_cast<std::size_t>(edge.from)];
            if (span == 1) QVERIFY(!plan.stubs[e]);
            if (span > 24) QVERIFY(plan.stubs[e]);
            stubs += plan.stubs[e] ? 1 : 0;
        }
        QVERIFY(stubs > 30);
    }

    // --- finished layouts ---

    void graphvizLayout_data() { addGraphs(); }
    void graphvizLayout() {
        QFETCH(QString, source);
        QFETCH(GraphKind, kind);
        const DrawnGraph graph = drawn(source, kind);
        const GraphLayout layout = layoutNow(graph);
        QCOMPARE(layout.note, QString());
        QCOMPARE(layoutProblem(graph, layout), QString());
    }

    void layoutWithoutGraphviz_data() { addGraphs(); }
    void layoutWithoutGraphviz() {
        QFETCH(QString, source);
        QFETCH(GraphKind, kind);
        const DrawnGraph graph = drawn(source, kind);
        const GraphLayout layout = simpleLayout(graph, planLayout(graph), u"because"_s);
        QCOMPARE(layout.note, u"because"_s);
        QCOMPARE(layoutProblem(graph, layout), QString());
    }

    void stubsAreLabelledWithTheOtherEnd() {
        const DrawnGraph graph = drawText(chainText(60), GraphKind::functional);
        const GraphLayout layout = layoutNow(graph);
        int stubs = 0;
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            if (!layout.edges[e].stub) continue;
            const QString other = graph.nodes[static_cast<std::size_t>(graph.edges[e].to)].name;
            QCOMPARE(layout.edges[e].endLabel.text, u"x"_s);
            // All leave the same box: one represents the others.
            if (stubs++ == 0) QVERIFY(layout.edges[e].startLabel.text.startsWith(other + u" and "_s));
            else QCOMPARE(layout.edges[e].startLabel.text, QString());
        }
        QVERIFY(stubs > 0);
    }

    void labelsOfStubsHaveRoom_data() { rowsOf("sample", {"mlp", "resnet18", "gpt2-tiny", "bert-tiny"}); }
    void labelsOfStubsHaveRoom() {
        QFETCH(QString, sample);
        const auto whole = withGroups(drawSample(sample.toStdString()));
        for (const int depth : {1, 2, 3, 100}) {
            const auto seen = visibleGraph(whole, collapsedTo(*whole->groups, depth));
            QCOMPARE(labelProblem(layoutNow(*seen)), QString());
            QCOMPARE(labelProblem(layoutSimply(*seen, {})), QString());
        }
    }

    void aRungKeepsAwayFromTheBordersThatItPasses() {
        DrawnGraph graph;
        graph.nodes.resize(3);
        graph.nodes[1].stage = graph.nodes[2].stage = Stage::backward;
        GraphLayout layout;
        // The box between the ends is so high that a lane beside either end would run along its border.
        const QRectF between(250, -9, 80, 58);
        layout.boxes = {QRectF(0, 0, 80, 40), between, QRectF(400, 0, 80, 40)};
        for (const QRectF& frame : {QRectF(), QRectF(240, -13, 100, 66)}) {
            if (!frame.isNull()) layout.frames = {{1, frame, true}};
            const QPainterPath path = EdgeRoutes(graph, layout).rung({0, 2, DrawnEdge::Kind::rung});
            QVERIFY(!path.isEmpty());
            const QRectF passed = frame.isNull() ? between : frame;
            for (const QPointF point : flattened(path))
                if (point.x() > passed.left() && point.x() < passed.right())
                    QVERIFY(point.y() > passed.bottom() + 2 || point.y() < passed.top() - 2);
            const double level = path.pointAtPercent(0.6).y();
            QVERIFY2(level > passed.bottom() + 2 || level < passed.top() - 2, qPrintable(QString::number(level)));
        }
    }

    void theSameGraphHasTheSameLayout() {
        const DrawnGraph graph = drawSample("mlp");
        const GraphLayout once = layoutNow(graph), again = layoutNow(graph);
        QCOMPARE(once.boxes, again.boxes);
        QCOMPARE(once.bounds, again.bounds);
    }
};

AOTSCOPE_TEST(TestLayout)

}  // namespace aotscope::test::layout_test

#include "test_layout.moc"
