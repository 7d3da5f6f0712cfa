// Pictures of graphs that are too large or too long for Graphviz: layers, folding, and rules that each picture keeps.

#include "canvas/layout/layered/fold.h"
#include "canvas/layout/layered/late_rows.h"
#include "canvas/layout/layered/order_rows.h"
#include "canvas/layout/layered/place_across.h"
#include "canvas/layout/layered/row_limits.h"
#include "canvas/layout/layout_job.h"
#include "support/test_program.h"
#include "views/drawings.h"
#include "views/fake_dot.h"
#include "views/layout_rules.h"
#include "views/picture_rules.h"

#include <random>

namespace aotscope::test::long_graphs_test {
namespace {

/// Writes a graph operation by operation.
class LongText {
public:
    explicit LongText(const std::string& kind) : text_("graph " + kind + "\n") {}
    void input(const std::string& name, const std::string& role) {
        text_ += "  %" + name + " : f32[8, 8] = placeholder(" + role + ")  ; id=" + std::to_string(next_++) +
                 (role == "tangent" ? " stage=backward" : "") + "\n";
    }
    /// `forward`: of backward operations, what they differentiate; negative for none.
    int op(const std::string& name, const std::string& op, const std::string& inputs, bool backward = false,
           int forward = -1) {
        text_ += "  %" + name + " : f32[8, 8] = aten." + op + "(" + inputs + ")  ; id=" + std::to_string(next_) +
                 (backward ? " stage=backward" : "") +
                 (forward >= 0 ? " forward=" + std::to_string(forward) : std::string()) + "\n";
        return next_++;
    }
    std::string done(const std::string& outputs) const { return text_ + "  return [" + outputs + "]\n"; }

private:
    std::string text_;
    int next_ = 0;
};

std::string numbered(const char* name, int number) { return name + std::to_string(number); }

/// Linear layers with relu: each has a transposed weight, and a gradient of it beside the chain.
std::string linearLayers(int count) {
    LongText text("joint");
    text.input("x", "input");
    text.input("g", "tangent");
    for (int i = 0; i < count; ++i) text.input(numbered("w", i), "parameter");
    std::vector<int> transposed, multiplied, bent;
    std::string last = "%x";
    for (int i = 0; i < count; ++i) {
        transposed.push_back(text.op(numbered("t", i), "t.default", "%" + numbered("w", i)));
        multiplied.push_back(text.op(numbered("mm", i), "mm.default", last + ", %" + numbered("t", i)));
        bent.push_back(text.op(numbered("relu", i), "relu.default", "%" + numbered("mm", i)));
        last = "%" + numbered("relu", i);
    }
    std::string arriving = "%g", outputs = last + " : output \"o\"";
    for (int i = count - 1; i >= 0; --i) {
        const auto k = static_cast<std::size_t>(i);
        const std::string before = i > 0 ? "%" + numbered("relu", i - 1) : "%x", own = "%" + numbered("d", i);
        text.op(numbered("d", i), "threshold_backward.default", arriving + ", %" + numbered("relu", i) + ", 0", true,
                bent[k]);
        text.op(numbered("gw", i), "mm.default", own + ", " + before, true, multiplied[k]);
        text.op(numbered("gt", i), "t.default", "%" + numbered("gw", i), true, transposed[k]);
        text.op(numbered("gx", i), "mm.default", own + ", %" + numbered("t", i), true, multiplied[k]);
        outputs += ", %" + numbered("gt", i) + " : gradient \"" + numbered("w", i) + "\"";
        arriving = "%" + numbered("gx", i);
    }
    return text.done(outputs + ", " + arriving + " : gradient \"x\"");
}

/// Steps that each read a part of one input, and the sum of them.
std::string unrolled(int steps) {
    LongText text("functional");
    text.input("x", "input");
    text.input("h", "input");
    std::string state = "%h";
    for (int i = 0; i < steps; ++i) {
        text.op(numbered("part", i), "select.int", "%x, 0, 0");
        text.op(numbered("in", i), "mm.default", "%" + numbered("part", i) + ", " + "%" + numbered("part", i));
        text.op(numbered("sum", i), "add.Tensor", state + ", %" + numbered("in", i));
        text.op(numbered("gate", i), "sigmoid.default", "%" + numbered("sum", i));
        text.op(numbered("new", i), "tanh.default", "%" + numbered("sum", i));
        text.op(numbered("h", i), "mul.Tensor", "%" + numbered("gate", i) + ", %" + numbered("new", i));
        state = "%" + numbered("h", i);
    }
    return text.done(state + " : output \"o\"");
}

/// Many chains that nothing connects, as an unrolled optimizer has.
std::string apart(int chains) {
    LongText text("functional");
    std::string outputs;
    for (int i = 0; i < chains; ++i) text.input(numbered("x", i), "input");
    for (const char* step : {"a", "b", "c"})
        for (int i = 0; i < chains; ++i)
            text.op(numbered(step, i), "sin.default", "%" + numbered(*step == 'a' ? "x" : *step == 'b' ? "a" : "b", i));
    for (int i = 0; i < chains; ++i)
        outputs += (i > 0 ? ", %" : "%") + numbered("c", i) + " : output \"" + numbered("o", i) + "\"";
    return text.done(outputs);
}

/// One operation that reads very many values.
std::string gathered(int count) {
    LongText text("functional");
    text.input("x", "input");
    std::string all;
    for (int i = 0; i < count; ++i) {
        text.op(numbered("a", i), "sin.default", "%x");
        all += (i > 0 ? ", %" : "%") + numbered("a", i);
    }
    text.op("all", "cat.default", "[" + all + "]");
    return text.done("%all : output \"o\"");
}

/// Rows of sums of random values of the rows before.
std::string randomSums(int rows, int width) {
    std::mt19937 random(5);
    LongText text("functional");
    text.input("x", "input");
    std::vector<std::string> known{"%x"};
    for (int i = 0; i < rows * width; ++i) {
        const auto some = [&] {
            const auto reach = std::min(known.size(), static_cast<std::size_t>(3 * width));
            return known[known.size() - 1 - random() % reach];
        };
        const std::string a = some(), b = some();
        text.op(numbered("n", i), "add.Tensor", a + ", " + b);
        known.push_back("%" + numbered("n", i));
    }
    return text.done(known.back() + " : output \"o\"");
}

void addLongGraphs() {
    const auto row = columns<QString, GraphKind>("text", "kind");
    row("layers", linearLayers(250), GraphKind::joint);
    row("steps", unrolled(300), GraphKind::functional);
    row("steps as a ladder", unrolled(300), GraphKind::joint);
    row("chains apart", apart(700), GraphKind::functional);
    row("chains apart in a ladder", apart(700), GraphKind::joint);
    row("fewer chains apart", apart(300), GraphKind::functional);
    row("one with many inputs", gathered(1500), GraphKind::functional);
    row("random sums", randomSums(120, 12), GraphKind::functional);
    row("long chain", chainText(1500), GraphKind::functional);
}

std::shared_ptr<const DrawnGraph> drawnLong(const QString& text, GraphKind kind) {
    return withGroups(drawText(text.toStdString(), kind));
}

double sidesOf(const GraphLayout& layout) {
    const QSizeF size = layout.bounds.size();
    return std::max(size.width() / size.height(), size.height() / size.width());
}

/// Rows of boxes with edges to random boxes of the row before.
Layers randomLayers(int rows, int width) {
    std::mt19937 random(11);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    Layers layers;
    layers.rows.resize(static_cast<std::size_t>(rows));
    for (auto& row : layers.rows)
        for (int i = 0; i < width; ++i) {
            row.push_back(static_cast<int>(layers.vertices.size()));
            const bool bend = below(4) == 0;
            layers.vertices.push_back({bend ? 2.0 : 40.0 + below(100), bend});
        }
    for (std::size_t r = 1; r < layers.rows.size(); ++r)
        for (const int lower : layers.rows[r])
            for (int i = below(3); i > 0; --i)
                layers.edges.emplace_back(layers.rows[r - 1][static_cast<std::size_t>(below(width))], lower);
    return layers;
}

std::size_t countedOneByOne(const Layers& layers) {
    const std::vector<int> place = layers.placeOfEach(), row = layers.rowOfEach();
    const auto at = [&](int v) { return place[static_cast<std::size_t>(v)]; };
    std::size_t found = 0;
    for (std::size_t a = 0; a < layers.edges.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            const auto& [upper, lower] = layers.edges[a];
            const auto& [otherUpper, otherLower] = layers.edges[b];
            if (row[static_cast<std::size_t>(upper)] != row[static_cast<std::size_t>(otherUpper)]) continue;
            found += (at(upper) - at(otherUpper)) * (at(lower) - at(otherLower)) < 0 ? 1 : 0;
        }
    return found;
}

}  // namespace

class TestLongGraphs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- layers ---

    void crossingsAreCounted() {
        for (const auto& [rows, width] : {std::pair{2, 6}, std::pair{9, 7}}) {
            const Layers layers = randomLayers(rows, width);
            QCOMPARE(crossings(layers), countedOneByOne(layers));
        }
        QCOMPARE(crossings(Layers()), std::size_t{0});
    }

    void rowsAreUntangled() {
        Layers ladder;  // two chains that exchange their places in every row
        for (int r = 0; r < 40; ++r) {
            const int first = 2 * r, second = 2 * r + 1;
            ladder.vertices.resize(ladder.vertices.size() + 2, {100, false});
            ladder.rows.push_back(r % 2 ? std::vector{second, first} : std::vector{first, second});
            if (r == 0) continue;
            ladder.edges.emplace_back(first - 2, first);
            ladder.edges.emplace_back(second - 2, second);
        }
        QCOMPARE(crossings(ladder), std::size_t{39});
        orderRows(ladder);
        QCOMPARE(crossings(ladder), std::size_t{0});

        Layers random = randomLayers(12, 10);
        const Layers before = random;
        orderRows(random);
        QVERIFY(2 * crossings(random) < crossings(before));
        for (std::size_t r = 0; r < random.rows.size(); ++r)
            QVERIFY(std::ranges::is_permutation(random.rows[r], before.rows[r]));
    }

    void orderAndDistanceAreKept() {
        Layers layers = randomLayers(30, 14);
        orderRows(layers);
        const std::vector<double> x = placeAcross(layers);
        double left = 1;
        for (const auto& row : layers.rows)
            for (std::size_t i = 0; i < row.size(); ++i) {
                const auto v = static_cast<std::size_t>(row[i]);
                left = std::min(left, x[v] - layers.vertices[v].width / 2);
                if (i == 0) continue;
                const auto before = static_cast<std::size_t>(row[i - 1]);
                const double gap = x[v] - x[before] - (layers.vertices[v].width + layers.vertices[before].width) / 2;
                QVERIFY(gap > gapBetween(layers.vertices[before], layers.vertices[v]) - 1e-6);
            }
        QVERIFY(std::abs(left) < 1e-6);
        QVERIFY(placeAcross(Layers()).empty());
    }

    void aChainWithSideBranchesIsUprightAndNarrow() {
        Layers layers;  // every vertex of the chain has a branch of three beside the next ones
        constexpr int rows = 200;
        layers.rows.resize(rows);
        const auto add = [&](int row, int upper) {
            const int v = static_cast<int>(layers.vertices.size());
            layers.vertices.push_back({100, false});
            layers.rows[static_cast<std::size_t>(row)].push_back(v);
            if (upper >= 0) layers.edges.emplace_back(upper, v);
            return v;
        };
        std::vector<int> chain;
        for (int r = 0; r < rows; ++r) chain.push_back(add(r, r > 0 ? chain.back() : -1));
        for (int r = 0; r + 4 < rows; ++r) add(r + 3, add(r + 2, add(r + 1, chain[static_cast<std::size_t>(r)])));
        orderRows(layers);
        const std::vector<double> x = placeAcross(layers);
        for (const int v : chain)
            QVERIFY(std::abs(x[static_cast<std::size_t>(v)] - x[static_cast<std::size_t>(chain[0])]) < 1e-6);
        QVERIFY(*std::ranges::max_element(x) < 20 * 120);
    }

    // --- folding ---

    void rowsAreFoldedToUsualProportions() {
        for (const int count : {1, 2, 50, 1000, 20'000}) {
            const std::vector<RowSize> rows(static_cast<std::size_t>(count), {400, 70, 3});
            const std::vector<int> starts = foldRows(rows, 100);
            QCOMPARE(starts.front(), 0);
            QVERIFY(std::ranges::is_sorted(starts) && std::ranges::adjacent_find(starts) == starts.end());
            QVERIFY(starts.back() < count);
            const double width = static_cast<double>(starts.size()) * 500, height = 70.0 * count / width * 500;
            if (count >= 50) QVERIFY(width < 3 * height && height < 3 * width);
        }
        QCOMPARE(foldRows({}, 100), std::vector<int>{0});
    }

    void columnsBeginWhereFewEdgesAreCut() {
        std::vector<RowSize> rows(1000, {400, 70, 9});
        for (std::size_t r = 7; r < rows.size(); r += 10) rows[r].passing = 1;
        const std::vector<int> starts = foldRows(rows, 100);
        QVERIFY(starts.size() > 2);
        for (const int start : starts)
            if (start > 0) QCOMPARE(start % 10, 7);
    }

    // --- rows ---

    /// What a step of a loop reads of an input stands beside that step, not at the top.
    void stepsHaveWhatTheyRead() {
        const DrawnGraph graph = drawText(unrolled(300), GraphKind::functional);
        LayoutPlan plan = planLayout(graph);
        const auto distance = [&](int step) {
            const auto row = [&](const char* name) {
                return plan.rows[static_cast<std::size_t>(boxNamed(graph, numbered(name, step).c_str()))];
            };
            return row("sum") - row("part");
        };
        QVERIFY(distance(200) > 500);
        lowerToUsers(graph, plan);
        for (const int step : {5, 100, 299}) QCOMPARE(distance(step), 2);
        QCOMPARE(flowProblem(graph, plan.rows), QString());
    }

    void loweredRowsKeepTheFlow_data() { addLongGraphs(); }
    void loweredRowsKeepTheFlow() {
        QFETCH(QString, text);
        QFETCH(GraphKind, kind);
        DrawnGraph graph = drawText(text.toStdString(), kind);
        LayoutPlan plan = planLayout(graph);
        lowerToUsers(graph, plan);
        QCOMPARE(flowProblem(graph, plan.rows), QString());
        limitRows(graph, plan);
        std::vector<DrawnEdge> drawnEdges;
        for (std::size_t e = 0; e < graph.edges.size(); ++e)
            if (!plan.stubs[e]) drawnEdges.push_back(graph.edges[e]);
        graph.edges = drawnEdges;
        QCOMPARE(flowProblem(graph, plan.rows), QString());
    }

    // --- pictures ---

    void picturesAreSound_data() { addLongGraphs(); }
    void picturesAreSound() {
        QFETCH(QString, text);
        QFETCH(GraphKind, kind);
        const auto graph = drawnLong(text, kind);
        const GraphLayout layout = layoutNow(*graph);
        QCOMPARE(layout.note, QString());
        QCOMPARE(layout.boxes.size(), graph->nodes.size());
        for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
            QCOMPARE(layout.boxes[i].size(), graph->nodes[i].size);
            QVERIFY(layout.bounds.contains(layout.boxes[i]));
        }
        QCOMPARE(overlap(*graph, layout), QString());
        for (std::size_t e = 0; e < graph->edges.size(); ++e) QCOMPARE(edgeProblem(*graph, layout, e), QString());
        QCOMPARE(directionProblem(*graph, layout), QString());
        QCOMPARE(edgesThroughBoxes(*graph, layout), 0);
        QVERIFY2(sidesOf(layout) < 8, qPrintable(QString::number(sidesOf(layout))));
    }

    void theSameGraphHasTheSamePicture_data() { addLongGraphs(); }
    void theSameGraphHasTheSamePicture() {
        QFETCH(QString, text);
        QFETCH(GraphKind, kind);
        const auto graph = drawnLong(text, kind);
        const GraphLayout once = layoutNow(*graph), again = layoutNow(*graph);
        QVERIFY(once.boxes == again.boxes);
        for (std::size_t e = 0; e < once.edges.size(); ++e) QVERIFY(once.edges[e].path == again.edges[e].path);
    }

    void graphvizIsNotAsked_data() { addLongGraphs(); }
    void graphvizIsNotAsked() {
        QFETCH(QString, text);
        QFETCH(GraphKind, kind);
        const auto graph = drawnLong(text, kind);
        const GraphLayout with = layoutNow(*graph);
        const FakeDot none{QByteArray()};
        const GraphLayout without = layoutNow(*graph);
        QCOMPARE(without.note, QString());
        QVERIFY(with.boxes == without.boxes);
    }

    void aPictureGrowsAsItsGraphDoes() {
        const auto steps = [](int layers) {
            const auto graph = drawnLong(q(linearLayers(layers)), GraphKind::joint);
            const GraphLayout layout = layoutNow(*graph);
            std::size_t points = 0;
            for (const EdgeShape& edge : layout.edges) points += static_cast<std::size_t>(edge.path.elementCount());
            const QSizeF size = layout.bounds.size();
            return std::pair(static_cast<double>(points), size.width() * size.height());
        };
        const auto [points, area] = steps(300);
        const auto [morePoints, moreArea] = steps(600);
        QVERIFY(morePoints < 2.5 * points);
        QVERIFY(moreArea < 2.5 * area);
    }

    /// In a folded ladder, the backward of a layer stands beside its forward.
    void aLayerHasItsBackwardBesideIt() {
        const auto graph = drawnLong(q(linearLayers(250)), GraphKind::joint);
        const GraphLayout layout = layoutNow(*graph);
        QVERIFY(layout.gutters.size() > 3);
        int drawn = 0, level = 0;
        for (std::size_t i = 0; i < graph->nodes.size(); ++i)
            if (const int partner = graph->nodes[i].partner; partner >= 0) {
                const QPointF own = layout.boxes[i].center(),
                              other = layout.boxes[static_cast<std::size_t>(partner)].center();
                level += own.y() == other.y() && own.x() > other.x() && own.x() - other.x() < 1200 ? 1 : 0;
                ++drawn;
            }
        QVERIFY2(10 * level > 9 * drawn, qPrintable(u"%1 of %2"_s.arg(level).arg(drawn)));
    }

    void edgesBetweenColumnsNameTheirOtherEnds() {
        const auto graph = drawnLong(q(linearLayers(250)), GraphKind::joint);
        const GraphLayout layout = layoutNow(*graph);
        int between = 0;
        for (std::size_t e = 0; e < graph->edges.size(); ++e) {
            const EdgeShape& shape = layout.edges[e];
            const DrawnEdge& edge = graph->edges[e];
            if (!shape.stub || edge.kind != DrawnEdge::Kind::flow) continue;
            const QRectF& from = layout.boxes[static_cast<std::size_t>(edge.from)];
            QCOMPARE(shape.start.y(), graph->isBackward(edge.from) ? from.top() : from.bottom());
            const QString other = graph->nodes[static_cast<std::size_t>(edge.to)].name;
            between += shape.startLabel.text.startsWith(other) ? 1 : 0;
        }
        QVERIFY(between > 3);
    }

    // --- modules ---

    /// A module with very many operations is folded within its frames, with its inputs above and its results below.
    void aLongModuleIsFolded_data() {
        columns<QString, QString, GraphKind>("text", "last", "kind");
        QTest::newRow("layers") << q(linearLayers(500)) << u"relu499"_s << GraphKind::joint;
        QTest::newRow("chains") << q(apart(700)) << u"c699"_s << GraphKind::functional;
        QTest::newRow("steps") << q(unrolled(400)) << u"h399"_s << GraphKind::functional;
    }
    void aLongModuleIsFolded() {
        QFETCH(QString, text);
        QFETCH(QString, last);
        QFETCH(GraphKind, kind);
        std::string inside = text.toStdString();
        for (auto at = inside.find("aten."); at != std::string::npos; at = inside.find("aten.", at + 1))
            inside.insert(inside.find('\n', at), " module=\"block\"");
        inside.insert(inside.find("  return"),
                      "  %end : f32[8, 8] = aten.sin.default(%" + last.toStdString() +
                          ")  ; id=90001\n  %end2 : f32[8, 8] = aten.sin.default(%end)  ; id=90002\n");
        const auto graph = drawnLong(q(inside), kind);
        QVERIFY(hasGroups(*graph));
        const GraphLayout layout = layoutNow(*graph);
        QCOMPARE(layout.note, QString());
        QCOMPARE(overlap(*graph, layout), QString());
        QCOMPARE(edgesThroughBoxes(*graph, layout), 0);
        for (std::size_t e = 0; e < graph->edges.size(); ++e) QCOMPARE(edgeProblem(*graph, layout, e), QString());
        QVERIFY(!layout.frames.empty());
        for (const GroupFrame& frame : layout.frames)
            for (std::size_t i = 0; i < graph->nodes.size(); ++i)
                if (graph->nodes[i].within == frame.group && graph->isBackward(static_cast<int>(i)) == frame.backward)
                    QVERIFY(frame.rect.contains(layout.boxes[i]));
        QVERIFY2(sidesOf(layout) < 8, qPrintable(QString::number(sidesOf(layout))));
    }

    void cancelledPicturesEnd() {
        const auto graph = drawnLong(q(linearLayers(250)), GraphKind::joint);
        const std::atomic<bool> cancelled = true;
        const GraphLayout layout = simpleLayout(*graph, planLayout(*graph), {}, cancelled);
        QCOMPARE(layout.boxes.size(), graph->nodes.size());
    }
};

AOTSCOPE_TEST(TestLongGraphs)

}  // namespace aotscope::test::long_graphs_test

#include "test_long_graphs.moc"
