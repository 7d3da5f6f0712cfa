// The order of operations: the simulator, searches for lower peaks, and what keeps its order.

#include "cost/live_memory.h"
#include "ir/parser.h"
#include "partition/order/graph_problem.h"
#include "partition/order/order_bound.h"
#include "partition/order/order_for_memory.h"
#include "partition/order/order_search.h"
#include "partition/order/order_simulator.h"
#include "support/test_program.h"
#include "support/text.h"

#include <algorithm>
#include <random>

namespace aotscope::test::order_test {
namespace {

/// Operations with one result each that read some of the results before; sometimes into an operand's memory.
OrderProblem randomProblem(std::mt19937& random, int operations) {
    const auto upTo = [&](int most) { return std::uniform_int_distribution(0, most)(random); };
    OrderProblem problem;
    problem.heldBytes = upTo(3);
    for (int i = upTo(2); i >= 0; --i) problem.blocks.push_back({.bytes = upTo(9), .kept = upTo(2) == 0});
    for (int i = 0; i < operations; ++i) {
        OrderProblem::Operation operation;
        const int alive = static_cast<int>(problem.blocks.size()), own = alive;
        for (int reads = upTo(2); reads >= 0; --reads)
            if (const int block = std::max(0, alive - 1 - upTo(4)); std::ranges::count(operation.reads, block) == 0)
                operation.reads.push_back(block);
        for (const int block : operation.reads) {
            auto& read = problem.blocks[static_cast<std::size_t>(block)];
            read.readers.push_back(i);
            if (read.maker != OrderProblem::kNone) operation.after.push_back(read.maker);
        }
        const auto& first = problem.blocks[static_cast<std::size_t>(operation.reads.front())];
        const bool overwrites = upTo(3) == 0 && !first.kept;
        const std::int64_t bytes = overwrites ? first.bytes : upTo(9);
        if (overwrites) operation.overwrites = operation.reads.front();
        operation.inner = std::max(0, upTo(9) - 5);
        operation.makes.push_back(own);
        std::ranges::sort(operation.after);
        problem.blocks.push_back({.bytes = bytes, .maker = i, .kept = upTo(6) == 0});
        problem.operations.push_back(std::move(operation));
    }
    for (int i = 0; i < operations; ++i)
        for (const int before : problem.operations[static_cast<std::size_t>(i)].after)
            problem.operations[static_cast<std::size_t>(before)].followers.push_back(i);
    return problem;
}

/// The lowest peak of all orders.
std::int64_t lowestOfAll(const OrderProblem& problem) {
    OrderSimulator simulator(problem);
    OperationOrder order = graphOrder(problem);
    std::int64_t lowest = simulator.peakOf(order);
    while (std::ranges::next_permutation(order).found)
        if (keepsDependencies(problem, order)) lowest = std::min(lowest, simulator.peakOf(order));
    return lowest;
}

std::vector<std::string> namesIn(const Graph& graph) {
    std::vector<std::string> names;
    for (const Node* node : graph.nodes())
        if (node->kind() == NodeKind::call) names.push_back(node->name());
    return names;
}

OrderedGraphs ordered(const char* text) { return orderForMemory(parseGraph(text), nullptr, {}); }

/// Two sums of large values that are made first.
constexpr const char* kLateSums = R"g(graph inference
  %x : f32[4]<0, 0, 16> = placeholder(input)
  %a : f32[100, 4]<1, 0, 1600> = aten.repeat.default(%x, [100, 1])
  %b : f32[100, 4]<2, 0, 1600> = aten.repeat.default(%x, [100, 1])
  %c : f32[100, 4]<3, 0, 1600> = aten.repeat.default(%x, [100, 1])
  %v : f32[400]<1, 0, 1600> = aten.view.default(%a, [400])
  %p : f32[4]<4, 0, 16> = aten.sum.dim_IntList(%a, [0])
  %q : f32[4]<5, 0, 16> = aten.sum.dim_IntList(%b, [0])
  %r : f32[4]<6, 0, 16> = aten.sum.dim_IntList(%c, [0])
  %s : f32[]<7, 0, 4> = aten.sum.default(%v)
  return [%p : output, %q : output, %r : output, %s : output]
)g";

}  // namespace

class TestOrder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// An order of few operations is the best of all.
    void smallGraphsHaveTheLowestPeak() {
        std::mt19937 random(1);
        for (int i = 0; i < 300; ++i) {
            const OrderProblem problem = randomProblem(random, 2 + i % (i % 10 == 0 ? 8 : 6));
            const std::int64_t bound = lowestPossiblePeak(problem), lowest = lowestOfAll(problem);
            const FoundOrder found = lowestOrder(problem, bound);
            QVERIFY2(bound <= lowest, qPrintable(QString::number(i)));
            QVERIFY(keepsDependencies(problem, found.order));
            QVERIFY2(found.peak == lowest, qPrintable(u"%1: %2, not %3"_s.arg(i).arg(found.peak).arg(lowest)));
        }
    }

    /// Never a higher peak, nor another one where fewer operations are moved.
    void largerGraphsHaveNoHigherPeak() {
        std::mt19937 random(2);
        int lower = 0;
        for (int i = 0; i < 24; ++i) {
            const OrderProblem problem = randomProblem(random, 20 + 15 * i);
            OrderSimulator simulator(problem);
            const std::int64_t before = simulator.peakOf(graphOrder(problem)), bound = lowestPossiblePeak(problem);
            const FoundOrder found = lowestOrder(problem, bound, 1'000'000);
            QVERIFY(keepsDependencies(problem, found.order));
            QVERIFY(found.peak <= before && found.peak >= bound);
            QCOMPARE(simulator.peakOf(found.order), found.peak);
            const OperationOrder fewer = withFewerMoves(problem, found.order, found.peak);
            QVERIFY(keepsDependencies(problem, fewer));
            QVERIFY(simulator.peakOf(fewer) <= found.peak);
            QVERIFY(movedOperations(fewer) <= movedOperations(found.order));
            QVERIFY(lowestOrder(problem, bound, 1'000'000).order == found.order);
            lower += found.peak < before;
        }
        QVERIFY2(lower > 12, qPrintable(QString::number(lower)));
    }

    void movesAreCountedAtLeast() {
        QCOMPARE(movedOperations({0, 1, 2, 3}), std::size_t{0});
        QCOMPARE(movedOperations({3, 0, 1, 2}), std::size_t{1});
        QCOMPARE(movedOperations({3, 2, 1, 0}), std::size_t{3});
    }

    /// Each large value is read before the next is made; a view goes with what needs it.
    void orderLowersThePeak() {
        const auto graph = parseGraph(kLateSums);
        const OrderedGraphs result = ordered(kLateSums);
        QCOMPARE(result.gain.peakBefore, liveMemory(*graph, {}).peakBytes);
        QCOMPARE(result.gain.peakAfter, liveMemory(*result.forward, {}).peakBytes);
        QVERIFY2(2 * result.gain.peakAfter < result.gain.peakBefore, qPrintable(q(result.log)));
        QVERIFY(q(result.log).contains(u"%1 operations moved"_s.arg(result.gain.moved)));
        auto before = namesIn(*graph), after = namesIn(*result.forward);
        QVERIFY(before != after);
        std::ranges::sort(before);
        std::ranges::sort(after);
        QCOMPARE(after, before);
        QCOMPARE(orderForMemory(result.forward, nullptr, {}).forward, result.forward);  // there is nothing left to do
    }

    /// Graphs that no order improves are the same objects.
    void unchangedGraphsAreTheSame() {
        const std::shared_ptr<const Graph> graph = parseGraph(R"g(graph inference
  %x : f32[4]<0, 0, 16> = placeholder(input)
  %a : f32[4]<1, 0, 16> = aten.sum.dim_IntList(%x, [0])
  %b : f32[4]<2, 0, 16> = aten.sum.dim_IntList(%a, [0])
  return [%b : output]
)g");
        const OrderedGraphs result = orderForMemory(graph, nullptr, {});
        QCOMPARE(result.forward, graph);
        QVERIFY(q(result.log).startsWith(u"no order has a notably lower peak"_s));
    }

    void someThingsKeepTheirOrder_data() {
        QTest::addColumn<QString>("operation");
        QTest::newRow("random") << u"aten.bernoulli.default(%x)"_s;
        QTest::newRow("collective") << u"_c10d_functional.all_reduce.default(%x, \"sum\", \"0\")"_s;
        QTest::newRow("foreign") << u"shop.scale.default(%x)"_s;
    }
    /// Even if the peak stays higher: the large value is made first, and its sum comes last.
    void someThingsKeepTheirOrder() {
        QFETCH(QString, operation);
        const QString text =
            uR"g(graph inference
  %x : f32[100, 4]<0, 0, 1600> = placeholder(input)
  %a : f32[100, 4]<1, 0, 1600> = OP
  %b : f32[100, 4]<2, 0, 1600> = OP
  %c : f32[100, 4]<3, 0, 1600> = OP
  %p : f32[4]<4, 0, 16> = aten.sum.dim_IntList(%c, [0])
  %q : f32[4]<5, 0, 16> = aten.sum.dim_IntList(%b, [0])
  %r : f32[4]<6, 0, 16> = aten.sum.dim_IntList(%a, [0])
  return [%p : output, %q : output, %r : output]
)g"_s.replace(u"OP"_s, operation);
        const OrderedGraphs result = ordered(text.toStdString().c_str());
        QVERIFY(result.gain.peakAfter < result.gain.peakBefore);
        std::vector<std::string> kept;
        for (const std::string& name : namesIn(*result.forward))
            if (name == "a" || name == "b" || name == "c") kept.push_back(name);
        QCOMPARE(kept, (std::vector<std::string>{"a", "b", "c"}));
    }

    /// Nothing that reads an input moves behind what overwrites it.
    void writesKeepTheirSides() {
        const OrderedGraphs result = ordered(R"g(graph inference
  %x : f32[100, 4]<0, 0, 1600> = placeholder(input)
  %y : f32[100, 4]<1, 0, 1600> = placeholder(input)
  %a : f32[100, 4]<2, 0, 1600> = aten.cumsum.default(%x, 0)
  %b : f32[100, 4]<3, 0, 1600> = aten.cumsum.default(%y, 0)
  %c : f32[100, 4]<4, 0, 1600> = aten.cumsum.default(%b, 0)
  %p : f32[4]<5, 0, 16> = aten.sum.dim_IntList(%a, [0])
  %q : f32[4]<6, 0, 16> = aten.sum.dim_IntList(%c, [0])
  %w : f32[100, 4]<0, 0, 1600> = aten.copy_.default(%x, %b)
  %r : f32[4]<7, 0, 16> = aten.sum.dim_IntList(%w, [0])
  return [%p : output, %q : output, %r : output]
)g");
        const auto names = namesIn(*result.forward);
        const auto place = [&](const char* name) { return std::ranges::find(names, name) - names.begin(); };
        QVERIFY(result.gain.peakAfter < result.gain.peakBefore);
        QVERIFY(place("a") < place("w") && place("w") < place("r"));
    }
};

AOTSCOPE_TEST(TestOrder)

}  // namespace aotscope::test::order_test

#include "test_order.moc"
