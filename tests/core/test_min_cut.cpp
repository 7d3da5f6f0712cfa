// The flow network, and the min-cut partitioner against cuts recorded from PyTorch.

#include "partition/max_flow.h"
#include "partition/partition_joint.h"
#include "support/test_program.h"
#include "support/text.h"

#include <random>

namespace aotscope::test::min_cut_test {
namespace {

using Capacity = FlowNetwork::Capacity;

struct Cut {
    Capacity value = 0;
    std::vector<bool> sinkSide;
};

bool isOn(unsigned mask, int vertex) { return mask >> vertex & 1u; }

/// The cut with the least capacity and the fewest vertices on the sink's side, by trying all.
Cut smallestCut(const FlowNetwork& network, int source, int sink) {
    Cut best{std::numeric_limits<Capacity>::max(), {}};
    int fewest = 0;
    for (unsigned mask = 0; mask < 1u << network.vertices(); ++mask) {
        if (isOn(mask, source) || !isOn(mask, sink)) continue;
        Capacity value = 0;
        for (const auto& edge : network.edges())
            if (!isOn(mask, edge.from) && isOn(mask, edge.to)) value += edge.capacity;
        int size = 0;
        for (int v = 0; v < network.vertices(); ++v) size += isOn(mask, v);
        if (value > best.value || (value == best.value && size >= fewest)) continue;
        fewest = size;
        best.value = value;
        best.sinkSide.assign(static_cast<std::size_t>(network.vertices()), false);
        for (int v = 0; v < network.vertices(); ++v) best.sinkSide[static_cast<std::size_t>(v)] = isOn(mask, v);
    }
    return best;
}

QJsonArray recordedCuts() {
    QFile file(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/cuts.json"));
    if (!file.open(QIODevice::ReadOnly)) qFatal("%s is missing", qPrintable(file.fileName()));
    return QJsonDocument::fromJson(file.readAll()).array();
}

}  // namespace

class TestMinCut : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- flow network ---

    void randomNetworks_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 200; ++seed) QTest::addRow("%u", seed) << seed;
    }
    void randomNetworks() {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
        FlowNetwork network;
        const int vertices = pick(2, 10);
        for (int i = 0; i < vertices; ++i) network.addVertex();
        for (int i = pick(0, 3 * vertices); i > 0; --i) {
            // Small capacities make ties likely; then the cut nearest to the sink is expected.
            const int from = pick(0, vertices - 1), to = pick(0, vertices - 1);
            if (from != to) network.addEdge(from, to, pick(0, 4));
        }
        const Cut expected = smallestCut(network, 0, vertices - 1);
        QCOMPARE(network.maximize(0, vertices - 1), expected.value);
        QCOMPARE(network.sinkSide(vertices - 1), expected.sinkSide);
        std::vector<Capacity> balance(static_cast<std::size_t>(vertices));
        for (const auto& edge : network.edges()) {
            QVERIFY(edge.flow >= 0 && edge.flow <= edge.capacity);
            balance[static_cast<std::size_t>(edge.from)] -= edge.flow;
            balance[static_cast<std::size_t>(edge.to)] += edge.flow;
        }
        QCOMPARE(balance.back(), expected.value);
        for (int v = 1; v + 1 < vertices; ++v) QCOMPARE(balance[static_cast<std::size_t>(v)], 0);
    }

    void ofEqualCutsTheOneNearestToTheSinkIsTaken() {
        FlowNetwork network;
        const int a = network.addVertex(), b = network.addVertex(), c = network.addVertex();
        network.addEdge(a, b, 5);
        network.addEdge(b, c, 5);
        QCOMPARE(network.maximize(a, c), 5);
        QCOMPARE(network.sinkSide(c), std::vector<bool>({false, false, true}));
    }

    void infiniteEdgesAreNeverCut() {
        FlowNetwork network;
        const int source = network.addVertex(), x = network.addVertex(), y = network.addVertex(),
                  sink = network.addVertex();
        network.addEdge(source, x, FlowNetwork::kInfinite);
        network.addEdge(x, y, 7);
        network.addEdge(y, sink, FlowNetwork::kInfinite);
        QCOMPARE(network.maximize(source, sink), 7);
        QCOMPARE(network.sinkSide(sink), std::vector<bool>({false, false, true, true}));
    }

    void unboundedFlowIsAtLeastInfinite_data() {
        QTest::addColumn<int>("paths");
        QTest::newRow("one") << 1;
        QTest::newRow("seven") << 7;
        QTest::newRow("sixteen, whose sum does not fit") << 16;
    }
    void unboundedFlowIsAtLeastInfinite() {
        QFETCH(int, paths);
        FlowNetwork network;
        const int source = network.addVertex(), sink = network.addVertex();
        for (int i = 0; i < paths; ++i) {
            const int middle = network.addVertex();
            network.addEdge(source, middle, FlowNetwork::kInfinite);
            network.addEdge(middle, sink, FlowNetwork::kInfinite);
        }
        QVERIFY(network.maximize(source, sink) >= FlowNetwork::kInfinite);
    }

    // --- recorded cuts ---

    void recordedCut_data() {
        QTest::addColumn<QJsonObject>("cut");
        const QJsonArray cuts = recordedCuts();
        QCOMPARE(cuts.size(), 94);
        for (const auto& cut : cuts) QTest::newRow(qPrintable(cut["name"_L1].toString())) << cut.toObject();
    }
    void recordedCut() {
        QFETCH(QJsonObject, cut);
        const auto joint = parseSound(cut["graph"_L1].toString().toStdString());
        const Partition partition = partitionByMinCut(*joint, {});

        QJsonArray saved;
        for (const auto& value : partition.saved) saved.append(q(value.name));
        QCOMPARE(saved, cut["saved"_L1].toArray());
        if (!cut.contains("capacities"_L1)) return;  // its edges were not recorded

        const QJsonObject capacities = cut["capacities"_L1].toObject();
        const QJsonObject banned = cut["banned"_L1].toObject();
        std::int64_t value = 0;
        int compared = 0;
        for (const auto& decision : partition.decisions) {
            const QString node = q(joint->findById(decision.node)->name());
            value += decision.placement == ValueDecision::Placement::saved ? decision.capacity : 0;
            const QString bans = decision.bans.empty() ? QString() : q(describe(decision.bans.front()));
            QCOMPARE(node + u": "_s + bans, node + u": "_s + banned[node].toString());
            if (!capacities.contains(node)) continue;
            ++compared;
            const QJsonValue expected = capacities[node];
            const auto capacity = expected.isString() ? FlowNetwork::kInfinite : expected.toInteger();
            QVERIFY2(decision.capacity == capacity,
                     qPrintable(u"%1 costs %2, expected %3"_s.arg(node).arg(decision.capacity).arg(capacity)));
        }
        QCOMPARE(compared, static_cast<int>(capacities.size()));
        QCOMPARE(static_cast<double>(value), cut["cut_value"_L1].toDouble());
    }
};

AOTSCOPE_TEST(TestMinCut)

}  // namespace aotscope::test::min_cut_test

#include "test_min_cut.moc"
