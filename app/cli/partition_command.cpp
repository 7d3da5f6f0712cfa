#include "cli/partition_command.h"

#include "cost/variant_costs.h"
#include "io/cost_text.h"
#include "io/partition_text.h"
#include "io/report.h"
#include "partition/what_if.h"
#include "session/session.h"
#include "support/file.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace aotscope {

namespace {

constexpr int kPartitionRuns = 5;

/// A record and the options that led to it; those of a saved session are its own.
struct Partitioned {
    Options options;
    CompileRecord record;
};

/// With the measured times of every operation in an ordinary partition.
Partitioned partitionedByMeasurement(Options options) {
    const PartitionOptions wanted = options.partition;
    options.partition.estimator = RuntimeEstimator::flops;
    options.partition.memoryBudget = 1;
    const auto session = Session::open(options, {});
    CompileRecord record = *session->record();
    const auto joint = record.graph(GraphKind::joint);
    if (!record.error.empty() || !joint) return {session->options(), record};
    if (const std::string why = session->whyNotExecutable(); !why.empty()) throw Error("--estimator measured: " + why);
    NodeTimes times(machineModel(options.device));
    times.learn(session->time({kPartitionRuns}, {}));
    RuntimeModel model;
    model.measured = [times](const Node& node) { return times.ms(node); };
    record.partition = PartitionWhatIf(joint, model).partition(wanted);
    record.graphs[GraphKind::forward] = record.partition->forward;
    record.graphs[GraphKind::backward] = record.partition->backward;
    options = session->options();
    options.partition = wanted;
    return {options, record};
}

Partitioned partitioned(const Options& options) {
    const bool measures =
        options.partition.estimator == RuntimeEstimator::measured && options.partition.memoryBudget < 1;
    if (measures) return partitionedByMeasurement(options);
    const auto session = Session::open(options, {});
    return {session->options(), *session->record()};
}

/// What it costs, and what there is at the peak of memory.
std::string costs(const Options& options, const CompileRecord& record) {
    constexpr std::size_t kLargest = 10;
    const FunctionMetadata& metadata = record.knownMetadata();
    return costsText(costsOf(*record.partition, metadata, NodeTimes(machineModel(options.device)))) + "\n" +
           peakText(liveMemory(*record.partition, metadata), kLargest);
}

}  // namespace

void warnOfDisturbance(const std::string& device) {
    if (const std::string note = disturbanceNote(machineModel(device)); !note.empty())
        std::cerr << "aotscope: " << note << "\n";
}

int showPartition(const Command& command) {
    const auto [options, record] = partitioned(command.options);
    requirePartition(record);
    const bool toScreen = command.report == "-";
    if (!command.report.empty()) {
        const std::string text = jsonText(makeReport(options, record, nullptr, nullptr));
        if (toScreen) std::cout << text;
        else writeFileAtomically(command.report, text);
    }
    if (toScreen) return kFine;
    std::cout << partitionDetails(*record.partition, *record.graph(GraphKind::joint)) << "\n" << costs(options, record);
    warnOfDisturbance(options.device);
    return kFine;
}

}  // namespace aotscope
