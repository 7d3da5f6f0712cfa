// What an operation takes, in time and in memory, is one figure in every table, picture, report and decision, wherever
// it is from: measured, scaled from a similar operation, or estimated.

#include "cost/book/signature.h"
#include "cost/communication.h"
#include "cost/estimated_times.h"
#include "cost/node_figures.h"
#include "cost/runtime_model.h"
#include "io/report.h"
#include "io/tables/operator_cost_table.h"
#include "io/tables/step_table.h"
#include "io/tables/sweep_table.h"
#include "load/sample_list.h"
#include "models/module_tree.h"
#include "models/node_values.h"
#include "models/tables/variant_tables.h"
#include "models/variant.h"
#include "ops/op_table.h"
#include "session/session.h"
#include "support/formatted.h"
#include "support/long_tests.h"
#include "support/test_program.h"
#include "support/text.h"
#include "views/table_cells.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <set>

namespace aotscope::test::cost_agreement_test {
namespace {

/// Rates of no machine, so that nothing equals them by chance.
MachineModel someMachine() {
    MachineModel machine = usualCpu();
    machine.overhead *= 1.7;
    machine.calibrationMs = 1;
    return machine;
}

/// A third of the signatures is measured, a third near, and of the rest nothing is known.
std::shared_ptr<const CompileRecord> withCosts(const CompileRecord& record) {
    std::map<std::uint64_t, KnownCost> known;
    for (const auto& [kind, graph] : record.graphs)
        for (const Node* node : graph->nodes())
            if (const std::uint64_t signature = signatureNumber(*node); signature != 0) known[signature] = {};
    OperatorCosts costs;
    int i = 0;
    for (const auto& [signature, nothing] : known) {
        const int which = i++ % 3;
        if (which == 2) continue;
        const CostBasis basis = which == 0 ? CostBasis::measured : CostBasis::near;
        costs.known.push_back({signature, 10.25 + i, 4096 * (i + 1), {}, basis, basis});
    }
    auto told = std::make_shared<CompileRecord>(record);
    told->costs = std::make_shared<const OperatorCosts>(std::move(costs));
    return told;
}

/// A timed run, whose times are not those of the estimates.
TimingResult someTimes(const CompileRecord& record) {
    TimingResult timing;
    for (const GraphKind kind : executedGraphs(record)) {
        timing.graphs.push_back({kind, {}, {}, 0});
        std::size_t index = 0;
        for (const Node* node : record.graph(kind)->nodes())
            if (node->kind() == NodeKind::call && !isGetitem(*node))
                timing.steps.push_back({kind, index++, node->id(), node->name(), node->op(), 3, 0, 0, 3, 3});
    }
    return timing;
}

bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

/// Compares what the places show of one run with what is known of its operations.
class Reader {
public:
    Reader(std::shared_ptr<const CompileRecord> record, const Options& options)
        : record_(std::move(record)), options_(options), machine_(someMachine()) {}

    QStringList run() {
        stepTable();
        costTable();
        colours();
        decisions();
        timelines();
        sums();
        memory();
        return problems_;
    }
    std::size_t compared() const { return compared_; }

private:
    NodeFigure<double> known(const Node& node) const { return timeOf(node, machine_, record_->knownCosts()); }
    void expect(const char* place, const std::string& what, double shown, double expected) {
        ++compared_;
        if (!same(shown, expected))
            problems_
                << u"%1 shows %2 for %3, not %4"_s.arg(QString::fromUtf8(place)).arg(shown).arg(q(what)).arg(expected);
    }
    const Node* nodeOf(GraphKind kind, NodeId id) const { return record_->graph(kind)->findById(id); }

    void stepTable() {
        const Table table = aotscope::stepTable(someTimes(*record_), *record_, &machine_);
        const auto at = static_cast<std::size_t>(std::ranges::find(table.columns, "estimated_us", &Table::Column::key) -
                                                 table.columns.begin());
        for (const Table::Row& row : table.rows) {
            const Node* node = nodeOf(row.graph, row.node);
            const auto* us = std::get_if<double>(&row.cells.at(at).value.held());
            if (!node || !us) continue;
            expect("the table of steps", node->name(), *us, known(*node).value * 1000);
            if (std::get<std::string>(row.cells.at(at + 1).value.held()) != name(known(*node).basis))
                problems_ << u"the table of steps has another basis for "_s + q(node->name());
        }
    }

    void costTable() {
        std::map<std::string, const Node*> nodes;
        for (const GraphKind kind : executedGraphs(*record_))
            for (const Node* node : record_->graph(kind)->nodes()) nodes[signatureOf(*node)] = node;
        for (const Table::Row& row : operatorCostTable(*record_, machine_).rows) {
            const auto text = [&](std::size_t i) { return std::get<std::string>(row.cells.at(i).value.held()); };
            const auto node = nodes.find(text(0));
            if (node == nodes.end()) continue;  // of a subgraph
            const auto inner = innerBytesOf(*node->second, record_->knownCosts());
            expect("aotscope costs", text(0), std::get<double>(row.cells.at(2).value.held()),
                   known(*node->second).value * 1000);
            expect("aotscope costs", text(0), static_cast<double>(std::get<std::int64_t>(row.cells.at(5).value.held())),
                   static_cast<double>(inner.value));
            if (text(3) != name(known(*node->second).basis) || text(6) != name(inner.basis))
                problems_ << u"aotscope costs has another basis for "_s + q(text(0));
        }
    }

    void colours() {
        for (const auto& [kind, graph] : record_->graphs) {
            const NodeValues values = valuesOf(ColourBy::estimated, *graph, kind,
                                               {record_, {}, nullptr, nullptr, [this] { return machine_; }});
            for (const auto& [id, us] : values.numbers) {
                const Node* node = graph->findById(id);
                expect("the colour by estimated times", node->name(), us, known(*node).value * 1000);
                if (values.bases.at(id) != known(*node).basis)
                    problems_ << u"the colours have another basis for "_s + q(node->name());
            }
        }
    }

    /// Of the partitioner and its estimators.
    void decisions() {
        const RuntimeModel model = rooflineTimes([this] { return machine_; }, record_->costs);
        for (const auto& [kind, graph] : record_->graphs)
            for (const Node* node : graph->nodes())
                if (node->kind() == NodeKind::call)
                    expect("the estimator of the partitioner", node->name(), model.roofline(*node), known(*node).value);
    }

    void timelines() {
        const Communication found =
            communicationOf(*record_, options_.world, linksNamed(options_.links), [this] { return machine_; });
        for (const GraphCommunication& graph : found.graphs)
            for (const ComputationTime& one : graph.computations)
                if (const Node* node = nodeOf(graph.graph, one.node))
                    expect("the timeline of communication", node->name(), one.duration, known(*node).value);
    }

    /// Of forward and backward, in What If, its table, the tree of modules and the report.
    void sums() {
        if (!record_->partition) return;
        const NodeTimes times = estimatedTimes(options_, *record_, machine_);
        const Variant variant = makeVariant(u"Compiled"_s, {}, record_->partition, record_->knownMetadata(), times);
        std::array<double, 2> ms{};
        for (const bool backward : {false, true})
            for (const Node* node : record_->graph(backward ? GraphKind::backward : GraphKind::forward)->nodes())
                ms.at(backward) += known(*node).value;
        expect("What If", "forward", variant.figures.forwardMs, ms[0]);
        expect("What If", "backward", variant.figures.backwardMs, ms[1]);
        const ModuleTree tree = moduleTree(
            {record_, record_->graph(GraphKind::joint), GraphKind::joint, std::make_shared<NodeTimes>(times)});
        expect("the tree of modules", "the model", tree.modules.front().ms, ms[0] + ms[1]);
        const TableContent difference = differenceTable(variant, variant, {});
        const QString text = q(timeText(ms[0], times.basis()));
        bool found = false;
        for (const auto& row : difference.rows)
            found = found || std::ranges::any_of(row.cells, [&](const auto& cell) { return cell.text == text; });
        if (!found) problems_ << u"the difference of partitions lacks the forward time "_s + text;
    }

    void memory() {
        const auto live = liveMemory(*record_);
        if (!live) return;
        const auto peak = static_cast<double>(live->peakBytes);
        for (const LiveValue& value : live->values) {
            if (value.kind != MemoryKind::workspace) continue;
            const bool backward = live->curve.at(value.first).stage == Stage::backward;
            const GraphKind kind = !record_->partition ? GraphKind::inference
                                   : backward          ? GraphKind::backward
                                                       : GraphKind::forward;
            const Node* node = nodeOf(kind, value.node);
            if (node && !isHigherOrder(*node) && options_.compilers.forward == "interpreter")
                expect("live memory", node->name(), static_cast<double>(value.bytes),
                       static_cast<double>(innerBytesOf(*node, record_->knownCosts()).value));
        }
        const nlohmann::json report = makeReport(options_, *record_, [this] { return machine_; });
        expect("the report", "the peak", report.at("memory").at("peak_bytes").get<double>(), peak);
        expect("the sweep", "the peak",
               sweepPoint("", *record_, 0, nullptr, nullptr).at("predicted_peak_bytes").get<double>(), peak);
        double highest = 0;
        const GraphKind kind = record_->partition ? GraphKind::joint : GraphKind::inference;
        for (const auto& [id, bytes] :
             valuesOf(ColourBy::live, *record_->graph(kind), kind, {record_, {}, nullptr, nullptr, {}}).numbers)
            highest = std::max(highest, bytes);
        expect("the colour by live memory", "the peak", highest, peak);
        if (!record_->partition) return;
        const Variant variant = makeVariant(u"Compiled"_s, {}, record_->partition, record_->knownMetadata(),
                                            estimatedTimes(options_, *record_, machine_));
        expect("What If", "the peak", static_cast<double>(variant.figures.peakBytes), peak);
        expect("the Memory page", "the peak", static_cast<double>(variant.memory->peakBytes), peak);
    }

    std::shared_ptr<const CompileRecord> record_;
    const Options& options_;
    MachineModel machine_;
    QStringList problems_;
    std::size_t compared_ = 0;
};

}  // namespace

class TestCostAgreement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void samples_data() {
        QTest::addColumn<QString>("compiler");
        QTest::addColumn<bool>("inference");
        for (const SampleInfo& sample : sampleList()) {
            if (isLargeSample(sample.name) && !longTests()) continue;
            QTest::addRow("%s", sample.name.c_str()) << u"interpreter"_s << false;
            QTest::addRow("%s inference", sample.name.c_str()) << u"interpreter"_s << true;
            QTest::addRow("%s fused", sample.name.c_str()) << u"fused"_s << false;
        }
    }
    void samples() {
        QFETCH(QString, compiler);
        QFETCH(bool, inference);
        const std::string sample = QString::fromUtf8(QTest::currentDataTag()).section(u' ', 0, 0).toStdString();
        Options options{.model = "sample:" + sample, .inference = inference};
        options.compilers.forward = compiler.toStdString();
        const auto record = Session::open(options, {})->record();
        QVERIFY2(record->error.empty(), record->error.c_str());
        Reader reader(withCosts(*record), options);
        QCOMPARE(reader.run().join(u'\n'), QString());
        QVERIFY(reader.compared() > 10);
    }

    /// Its record tells what was measured, to all who ask for it from then on; earlier records stay as they were.
    void whatIsMeasuredIsKnownAtOnce() {
        const auto session = Session::open({.model = "sample:mlp"}, {});
        const auto before = session->record();
        const MeasuredOperators found = session->measureOperators({});
        QVERIFY(session->record() == before);
        session->learnCosts({});
        QVERIFY(found.measured + found.known > 0);
        const auto after = session->record();
        QVERIFY(before->graphs == after->graphs);
        // On a busy machine, they were measured on fewer threads than a run would have.
        std::size_t known = 0;
        for (const Node* node : after->graph(GraphKind::forward)->nodes())
            known += timeOf(*node, someMachine(), after->knownCosts()).basis != CostBasis::estimated;
        QVERIFY(known > 0);
        QVERIFY(after->knownCosts().known.size() >= before->knownCosts().known.size());
    }
};

AOTSCOPE_TEST(TestCostAgreement)

}  // namespace aotscope::test::cost_agreement_test

#include "test_cost_agreement.moc"
