#include "cli/calibration_flag.h"
#include "cli/exit_code.h"
#include "cli/require_compiled.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "cost/estimated_times.h"
#include "cost/known_machines.h"
#include "io/cost_text.h"
#include "io/partition_text.h"
#include "io/report.h"
#include "io/tables/partition_table.h"
#include "partition/order/order_gain.h"
#include "partition/plan_function.h"
#include "passes/repartition.h"
#include "session/engine.h"
#include "support/file.h"
#include "support/json/json_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>

namespace aotscope {

namespace {

constexpr int kPartitionRuns = 5;

/// A record and its options; a saved session has its own.
struct Partitioned {
    Options options;
    CompileRecord record;
};

/// With measured times of every operation, taken from an ordinary partition.
Partitioned partitionedByMeasurement(Options options) {
    const PartitionOptions wanted = options.partition;
    options.partition.estimator = RuntimeEstimator::flops;
    options.partition.memoryBudget = 1;
    options.given->plan({GivenOptions::Purpose::run, GivenOptions::Purpose::kernels});
    const auto session = Session::open(options, {});
    const CompileRecord& record = *session->record();
    if (!record.error.empty() || !record.partition) return {session->options(), record};
    options.use({"--memory-budget", "--estimator", "--solver"});
    requireExecutable(*session, "--estimator measured");
    NodeTimes times(machineModel(options.device), record.costs);
    times.learn(session->time({kPartitionRuns}, {}));
    RuntimeModel model = rooflineTimes(machineOf(options.device), record.costs);
    model.measured = [times](const Node& node) { return times.ms(node); };
    return {withPartition(*session, wanted), *repartition(record, wanted, model, planByFunction)};
}

Partitioned partitioned(const Options& options) {
    const bool measures =
        options.partition.estimator == RuntimeEstimator::measured && options.partition.memoryBudget < 1;
    if (measures) return partitionedByMeasurement(options);
    const auto session = Session::open(options, {});
    return {session->options(), *session->record()};
}

/// Costs, and the contents of memory at its peak.
std::string costs(const Options& options, const CompileRecord& record) {
    constexpr std::size_t kLargest = 10;
    const FunctionMetadata& metadata = record.knownMetadata();
    const NodeTimes times = estimatedTimes(options, record, machineModel(options.device));
    const auto gain = orderGainOf(record);
    return costsText(costsOf(*record.partition, metadata, times)) +
           (gain ? "order of operations: " + orderText(*gain) + "\n" : "") + "\n" +
           peakText(*liveMemory(record), kLargest);
}

class PartitionCommand final : public Subcommand {
public:
    explicit PartitionCommand(CLI::App& parent)
        : Subcommand(parent, "partition", "list what is saved for backward, what is recomputed, and why",
                     "aotscope partition sample:gpt2 --budget 0.3 --report partition.json", Takes::model) {
        app_.add_option("--report", report_, "write everything as JSON; without a file: print it instead of the tables")
            ->type_name("[FILE.json]")
            ->expected(0, 1);
        addCsvFile(app_, csv_, "write the saved and recomputed values as CSV");
        calibration_.addTo(app_);
    }

    void check(Options& options) override {
        if (report_ == "-") report_.clear();
        toScreen_ = given("--report") && report_.empty();
        options.given->plan(GivenOptions::Purpose::estimate);
    }
    std::vector<NamedFile> filesWritten() const override { return {{"--report", report_}, {"--csv", csv_}}; }

    int run(const Options& wanted) override {
        calibration_.apply(*engine(), wanted.device);
        const auto [options, record] = partitioned(wanted);
        requirePartition(record);
        warn(record);
        requireUsed(wanted, {"--report", "--csv", "--calibrate"});
        const auto joint = record.graph(GraphKind::joint);
        if (!csv_.empty()) writeCsv(csv_, partitionTable(*record.partition, joint.get(), options.partition));
        if (toScreen_ || !report_.empty()) {
            const std::string text = jsonText(makeReport(options, record, machineOf(options.device)));
            if (toScreen_) std::cout << text;
            else writeFileAtomically(report_, text);
        }
        if (toScreen_) return kFine;
        std::cout << partitionDetails(*record.partition, *joint) << "\n" << costs(options, record);
        calibration_.warn(engine()->machine(options.device));
        return kFine;
    }

private:
    std::string report_;  ///< empty: not written
    std::filesystem::path csv_;
    bool toScreen_ = false;  ///< the report instead of tables
    CalibrationFlag calibration_;
};

}  // namespace

std::unique_ptr<Subcommand> makePartitionCommand(CLI::App& parent) {
    return std::make_unique<PartitionCommand>(parent);
}

}  // namespace aotscope
