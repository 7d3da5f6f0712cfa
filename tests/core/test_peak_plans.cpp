// Plans for a limit of the peak, on models: what they promise, against the run, budgets and other limits.

#include "cost/known_machines.h"
#include "cost/live_memory.h"
#include "cost/variant_costs.h"
#include "io/partition_json.h"
#include "partition/pareto.h"
#include "partition/plan/step_simulator.h"
#include "passes/repartition.h"
#include "record/options/option_table.h"
#include "record/options/option_values.h"
#include "record/options/peak_limit.h"
#include "session/session.h"
#include "support/test_program.h"
#include "support/text.h"

#include <memory>
#include <random>

namespace aotscope::test::peak_plans_test {
namespace {

constexpr double kSeconds = 0.5;  ///< to prove a plan

Options optionsOf(const std::string& model, const std::string& peak) {
    Options options{.model = model};
    options.partition.algorithm = PartitionAlgorithm::planned;
    options.partition.peak = peak;
    options.partition.planSeconds = kSeconds;
    return options;
}

/// Of what the backward computes again, without views.
double recomputedMs(const Partition& partition, const CompileRecord& record) {
    double ms = 0;
    const NodeTimes times(machineModel("cpu"), record.costs);
    for (const RecomputedValue& value : partition.recomputed)
        if (value.bytes > 0) ms += times.ms(*record.graph(GraphKind::joint)->findById(value.node), true);
    return ms;
}

/// The inputs, and what keeps the results of all operations that do not run again.
std::vector<std::string> namesOf(const JointFacts& facts, const StepProblem& step, const StepChoice& choice) {
    std::vector<std::string> names;
    for (int i = 0; i < facts.size(); ++i)
        if (facts[i].primal) names.push_back(facts.node(i)->name());
    for (const StepBlock& block : step.blocks)
        if (block.decision >= 0 && block.value >= 0 && !choice[static_cast<std::size_t>(block.decision)])
            names.push_back(facts.node(block.value)->name());
    return names;
}

/// Splits one joint graph again and again.
class Splits {
public:
    explicit Splits(const std::string& model) : session_(Session::open({.model = model}, {})) {
        whatIf_ = whatIfOn(*session_->record(), rooflineTimes(machineOf("cpu"), session_->record()->costs));
    }

    std::shared_ptr<const Partition> byPeak(const std::string& limit, std::vector<std::string> save = {},
                                            std::vector<std::string> recompute = {}) const {
        PartitionOptions options = optionsOf({}, limit).partition;
        options.save = std::move(save);
        options.recompute = std::move(recompute);
        options.planSeconds = 0;
        return whatIf_->partition(options);
    }
    std::shared_ptr<const Partition> byBudget(double budget) const {
        PartitionOptions options;
        options.memoryBudget = budget;
        options.estimator = RuntimeEstimator::roofline;
        return whatIf_->partition(options);
    }
    std::vector<std::shared_ptr<const Partition>> checkpointed() const {
        std::vector<std::shared_ptr<const Partition>> partitions;
        const NodeTimes times(machineModel("cpu"), record().costs);
        for (const BudgetCosts& row : checkpointCosts(*whatIf_, 4, {}, metadata(), times, {}))
            partitions.push_back(row.partition);
        return partitions;
    }
    std::shared_ptr<const Partition> saving(std::vector<std::string> names) const {
        PartitionOptions options;
        options.algorithm = PartitionAlgorithm::planned;
        options.plan = std::move(names);
        return whatIf_->partition(options);
    }
    const Graph& joint() const { return whatIf_->joint(); }
    const FunctionMetadata& metadata() const { return record().knownMetadata(); }
    const OperatorCosts& costs() const { return record().knownCosts(); }
    std::int64_t peakBytes(const Partition& partition) const {
        return liveMemory(partition, record().knownMetadata(), record().knownCosts()).peakBytes;
    }
    double ms(const Partition& partition) const { return recomputedMs(partition, record()); }

private:
    const CompileRecord& record() const { return *session_->record(); }

    std::shared_ptr<const Session> session_;
    std::shared_ptr<const PartitionWhatIf> whatIf_;
};

}  // namespace

class TestPeakPlans : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void limits_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("refused");
        QTest::newRow("bytes") << u"4GB"_s << qint64{4'000'000'000} << QString();
        QTest::newRow("binary") << u"1.5 MiB"_s << qint64{1'572'864} << QString();
        QTest::newRow("share") << u"0.7"_s << qint64{700} << QString();
        QTest::newRow("percent") << u"70%"_s << qint64{700} << QString();
        QTest::newRow("all") << u"1"_s << qint64{1000} << QString();
        QTest::newRow("time") << u"+10%"_s << qint64{} << QString();
        QTest::newRow("no time") << u"+0%"_s << qint64{} << u"how much longer"_s;
        QTest::newRow("time without a number") << u"+x"_s << qint64{} << u"how much longer"_s;
        QTest::newRow("zero") << u"0"_s << qint64{} << u"share above 0 and at most 1"_s;
        QTest::newRow("above all") << u"130%"_s << qint64{} << u"share above 0 and at most 1"_s;
        QTest::newRow("no unit") << u"4000"_s << qint64{} << u"a size with its unit"_s;
        QTest::newRow("negative") << u"-4GB"_s << qint64{} << u"expected a size"_s;
        QTest::newRow("no number") << u"nan"_s << qint64{} << u"share above 0"_s;
        QTest::newRow("words") << u"small"_s << qint64{} << u"expected a size"_s;
    }
    void limits() {
        QFETCH(QString, text);
        QFETCH(qint64, bytes);
        QFETCH(QString, refused);
        if (refused.isEmpty()) {
            const PeakLimit limit = PeakLimit::of(text.toStdString());
            QCOMPARE(limit.bytes + static_cast<qint64>(1000 * limit.share), bytes);
            QCOMPARE(limit.moreTime, text.startsWith(u'+') ? 0.1 : 0.0);
            return;
        }
        Options options;
        const QString error = errorOf([&] { setOption(optionNamed("--peak"), options, {text.toStdString()}); });
        QVERIFY2(error.contains(refused) && error.contains(text), qPrintable(error));
    }

    void simulatedLikeLiveMemory_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : {"resnet18", "gpt2-tiny", "bert-tiny", "mlp", "sincos", "aliasing"})
            QTest::newRow(model) << QString(model);
    }
    /// What the planner takes a choice to need is what live memory says of its graphs.
    void simulatedLikeLiveMemory() {
        QFETCH(QString, model);
        const Splits splits("sample:" + model.toStdString());
        const JointFacts facts(splits.joint());
        const StepProblem step = stepProblem(
            facts, splits.metadata(), [](const Node&) { return 1.0; }, splits.costs());
        StepSimulator simulator(step);
        std::mt19937 random(1);
        for (const unsigned share : {0U, 10U, 30U, 50U, 70U, 90U}) {
            StepChoice choice = step.keepAll();
            for (std::size_t d = 0; d < choice.size(); ++d)
                if (step.decisions[d].inForward && step.decisions[d].mayRunAgain && random() % 100 < share)
                    choice[d] = 1;
            const auto partition = splits.saving(namesOf(facts, step, choice));
            QCOMPARE(simulator.run(choice).peak, splits.peakBytes(*partition));
        }
    }

    void measured_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("limit");
        QTest::addColumn<QString>("compiler");
        QTest::addColumn<bool>("ordered");
        for (const char* model : {"resnet18", "gpt2-tiny", "bert-tiny", "mlp", "sincos"})
            for (const char* limit : {"0.9", "0.6"})
                for (const char* compiler : {"interpreter", "fused"})
                    for (const bool ordered : {false, true})
                        QTest::addRow("%s at %s, %s%s", model, limit, compiler, ordered ? ", ordered" : "")
                            << u"sample:"_s + QString(model) << QString(limit) << QString(compiler) << ordered;
    }
    /// The plan's figures are those of all other places, and the run's, however the graphs run.
    void measured() {
        QFETCH(QString, model);
        QFETCH(QString, limit);
        QFETCH(QString, compiler);
        QFETCH(bool, ordered);
        Options options = optionsOf(model.toStdString(), limit.toStdString());
        options.compilers.forward = compiler.toStdString();
        if (ordered) options.partition.order = OperationOrdering::memory;
        const auto session = Session::open(options, {});
        const CompileRecord& record = *session->record();
        QVERIFY2(record.error.empty(), record.error.c_str());
        QVERIFY(record.partition && record.partition->plan);
        const PeakPlan& plan = *record.partition->plan;
        QCOMPARE(plan.peakBytes, liveMemory(record)->peakBytes);
        if (plan.status != PeakPlan::Status::infeasible) QVERIFY(plan.peakBytes <= plan.limitBytes);
        QVERIFY(plan.boundMs <= plan.recomputedMs * 1.001 + 1e-9);
        QVERIFY(plan.leastPeakBoundBytes <= plan.leastPeakBytes && plan.leastPeakBytes <= plan.peakBytes);
        const double ms = recomputedMs(*record.partition, record);
        QVERIFY2(std::abs(ms - plan.recomputedMs) <= 0.01 * ms + 1e-6,
                 qPrintable(u"%1, planned %2"_s.arg(ms).arg(plan.recomputedMs)));
        QVERIFY(session->check({}).ok);
        // Split again, it is the same plan: with the compilers that the record has.
        const RuntimeModel times = rooflineTimes(machineOf("cpu"), record.costs);
        const auto again = repartition(record, options.partition, times);
        QCOMPARE(again->partition->plan->limitBytes, plan.limitBytes);
        QCOMPARE(again->partition->plan->peakBytes, liveMemory(*again)->peakBytes);
        const auto whatIf = whatIfOn(record, times)->partition(options.partition);
        QCOMPARE(whatIf->plan->limitBytes, plan.limitBytes);
        QCOMPARE(whatIf->plan->peakBytes,
                 liveMemory(*whatIf, record.knownMetadata(), record.knownCosts(), notCompiledYet(record.compilers))
                     .peakBytes);
    }

    void neverWorseThanKnobs_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : {"resnet18", "gpt2-tiny", "bert-tiny"}) QTest::newRow(model) << QString(model);
    }
    /// Budgets, and activation checkpointing of repeated modules. Nor than itself under a smaller limit: more memory
    /// never costs time.
    void neverWorseThanKnobs() {
        QFETCH(QString, model);
        const Splits splits("sample:" + model.toStdString());
        std::vector<std::shared_ptr<const Partition>> knobs = splits.checkpointed();
        QVERIFY(knobs.size() >= 4);
        for (int tenth = 0; tenth <= 10; ++tenth) knobs.push_back(splits.byBudget(tenth / 10.0));
        double before = -1;
        for (const char* limit : {"0.5", "0.6", "0.7", "0.8", "0.9", "1"}) {
            const auto partition = splits.byPeak(limit);
            const PeakPlan& plan = *partition->plan;
            QCOMPARE(splits.peakBytes(*partition), plan.peakBytes);
            const bool fits = plan.status != PeakPlan::Status::infeasible;
            const double ms = splits.ms(*partition);
            for (const auto& knob : knobs) {
                if (splits.peakBytes(*knob) > plan.limitBytes) continue;
                QVERIFY2(fits, limit);
                const double other = splits.ms(*knob);
                QVERIFY2(ms <= other * 1.001 + 1e-6,
                         qPrintable(u"%1: %2, a knob %3"_s.arg(QString(limit)).arg(ms).arg(other)));
            }
            if (!fits) continue;
            if (before >= 0) QVERIFY2(ms <= before * 1.001 + 1e-6, limit);
            before = ms;
        }
        QCOMPARE(before, 0.0);
    }

    /// The lowest peak for a given time: no longer, and nearly nothing lower is possible.
    void lowestForATime() {
        const Splits splits("sample:resnet18");
        double before = 0;
        std::int64_t peak = std::numeric_limits<std::int64_t>::max();
        for (const char* time : {"+1%", "+5%", "+20%"}) {
            const auto partition = splits.byPeak(time);
            QVERIFY(splits.ms(*partition) >= before - 1e-9);
            QVERIFY(splits.peakBytes(*partition) <= peak);
            before = splits.ms(*partition);
            peak = splits.peakBytes(*partition);
        }
        QVERIFY(before > 0);
    }

    void nothingFits() {
        const auto session = Session::open(optionsOf("sample:mlp", "1kB"), {});
        const CompileRecord& record = *session->record();
        QVERIFY2(record.error.empty(), record.error.c_str());
        const PeakPlan& plan = *record.partition->plan;
        QCOMPARE(plan.status, PeakPlan::Status::infeasible);
        QVERIFY(plan.leastPeakBoundBytes > plan.limitBytes);
        const auto warnings = warningsOf(record);
        QCOMPARE(std::ranges::count(warnings, brokenLimitText(plan)), 1);
        QVERIFY(brokenLimitText(plan).find("no plan with a peak of at most 1.00 kB was found") == 0);
        QVERIFY(session->check({}).ok);
    }

    /// What the user, a policy or a tag has decided stays decided.
    void overrides() {
        const Splits splits("sample:resnet18");
        const auto free = splits.byPeak("0.7");
        const auto saves = [](const Partition& partition, const std::string& name) {
            return std::ranges::count(partition.saved, name, &SavedValue::name) > 0;
        };
        const auto again = std::ranges::find_if(free->recomputed,
                                                [](const RecomputedValue& v) { return v.op == "aten.relu.default"; });
        const auto kept = std::ranges::find(free->saved, SavedValue::Kind::activation, &SavedValue::kind);
        QVERIFY(again != free->recomputed.end() && kept != free->saved.end());
        const auto chosen = splits.byPeak("0.7", {again->name}, {kept->name});
        QVERIFY2(saves(*chosen, again->name), again->name.c_str());
        QVERIFY2(!saves(*chosen, kept->name), kept->name.c_str());
    }

    void sameAgain() {
        const Splits splits("sample:resnet18");
        const auto names = [](const Partition& partition) {
            QStringList list;
            for (const SavedValue& value : partition.saved) list << QString::fromStdString(value.name);
            return list;
        };
        QCOMPARE(names(*splits.byPeak("0.6")), names(*splits.byPeak("0.6")));
    }
};

AOTSCOPE_TEST(TestPeakPlans)

}  // namespace aotscope::test::peak_plans_test

#include "test_peak_plans.moc"
