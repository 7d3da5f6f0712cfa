// Models with operations in another order: the same results, and memory as it is predicted.

#include "cost/known_machines.h"
#include "cost/live_memory.h"
#include "load/sample_list.h"
#include "partition/order/graph_problem.h"
#include "partition/order/order_for_memory.h"
#include "partition/order/order_simulator.h"
#include "passes/repartition.h"
#include "session/session.h"
#include "support/long_tests.h"
#include "support/test_program.h"
#include "support/text.h"

namespace aotscope::test::ordered_models_test {
namespace {

std::int64_t peakIn(const LiveMemory& memory, Stage stage) {
    std::int64_t peak = 0;
    for (const MemoryPoint& point : memory.curve)
        if (point.node != kNoNode && point.stage == stage) peak = std::max(peak, point.bytes);
    return peak;
}

void addSamples() {
    QTest::addColumn<QString>("sample");
    for (const SampleInfo& sample : sampleList())
        if (longTests() || !isLargeSample(sample.name)) QTest::newRow(sample.name.c_str()) << q(sample.name);
}

/// Three ways to partition.
const std::vector<PartitionOptions>& partitions() {
    static const std::vector<PartitionOptions> all{
        {.algorithm = PartitionAlgorithm::minCut},
        {.algorithm = PartitionAlgorithm::defaultPartition},
        {.algorithm = PartitionAlgorithm::minCut, .memoryBudget = 0.3},
    };
    return all;
}

std::shared_ptr<const Session> opened(const QString& sample, PartitionOptions partition) {
    return Session::open({.model = "sample:" + sample.toStdString(), .partition = std::move(partition), .verify = true},
                         {});
}

}  // namespace

class TestOrderedModels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void simulatedLikeLiveMemory_data() { addSamples(); }
    /// The simulator of orders and liveMemory agree on every graph, as partitioned and in another order.
    void simulatedLikeLiveMemory() {
        QFETCH(QString, sample);
        const auto session = opened(sample, {});
        for (PartitionOptions options : partitions())
            for (const auto order : {OperationOrdering::traced, OperationOrdering::memory}) {
                options.order = order;
                const auto record = repartition(*session->record(), options, {});
                const LiveMemory memory = liveMemory(*record->partition, record->knownMetadata());
                const GraphProblem forward = forwardProblem(record->partition->forward, {});
                OrderSimulator simulator(forward.problem);
                if (!forward.problem.operations.empty())
                    QCOMPARE(simulator.peakOf(graphOrder(forward.problem)), peakIn(memory, Stage::forward));
                const GraphProblem backward = backwardProblem(record->partition->backward, forward,
                                                              simulator.blockBytes(), record->knownMetadata(), {});
                if (!backward.problem.operations.empty())
                    QCOMPARE(OrderSimulator(backward.problem).peakOf(graphOrder(backward.problem)),
                             peakIn(memory, Stage::backward));
            }
    }

    void noCompilerNeedsMore_data() { addSamples(); }
    /// What is better for the interpreter is not taken where the compiler of the graphs needs more memory with it.
    void noCompilerNeedsMore() {
        QFETCH(QString, sample);
        const auto session = opened(sample, {});
        CompileRecord record = *session->record();
        record.compilers = usesOf({.forward = "fused"});
        for (PartitionOptions options : partitions()) {
            const auto traced = repartition(record, options, {});
            options.order = OperationOrdering::memory;
            const auto ordered = repartition(record, options, {});
            const auto gain = orderGainOf(*ordered);
            QVERIFY(gain);
            QCOMPARE(gain->peakBefore, liveMemory(*traced)->peakBytes);
            QCOMPARE(gain->peakAfter, liveMemory(*ordered)->peakBytes);
            QVERIFY(gain->peakAfter <= gain->peakBefore);
        }
    }

    void computeTheSame_data() { addSamples(); }
    /// Results and gradients are those of eager, and the peak is not higher.
    void computeTheSame() {
        QFETCH(QString, sample);
        for (PartitionOptions options : partitions()) {
            const auto traced = opened(sample, options);
            options.order = OperationOrdering::memory;
            const auto session = opened(sample, options);
            const CheckResult check = session->check({});
            QVERIFY2(check.ok, qPrintable(q(sample.toStdString())));
            // What the book of operators knows may grow between the two.
            const auto costs = session->record()->costs;
            const RuntimeModel model = rooflineTimes(machineOf("cpu"), costs);
            const auto gain = orderGainOf(*session->record());
            QVERIFY(gain && !orderGainOf(*traced->record()));
            QCOMPARE(gain->peakBefore,
                     liveMemory(*traced->record()->partition, traced->record()->knownMetadata(), *costs).peakBytes);
            QCOMPARE(gain->peakAfter,
                     liveMemory(*session->record()->partition, session->record()->knownMetadata(), *costs).peakBytes);
            QVERIFY(gain->peakAfter < gain->peakBefore || gain->moved == 0);
            const auto pass = std::ranges::find(session->record()->passes, PassId::order, &PassRecord::id);
            QCOMPARE(pass->log.front() == orderText(*gain), gain->moved > 0);
            // Partitioned again, either is as the other.
            const auto again = repartition(*traced->record(), options, model);
            QVERIFY(sameStructure(*again->partition->backward, *session->record()->partition->backward));
            options.order = OperationOrdering::traced;
            const auto back = repartition(*session->record(), options, model);
            QVERIFY(sameStructure(*back->partition->backward, *traced->record()->partition->backward));
        }
    }
};

AOTSCOPE_TEST(TestOrderedModels)

}  // namespace aotscope::test::ordered_models_test

#include "test_ordered_models.moc"
