#include "io/session/sound_content.h"

#include "distributed/links.h"
#include "io/session/record_fields.h"
#include "support/error.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace aotscope {

namespace {

void require(bool condition, const std::string& what) {
    if (!condition) throw Error("its content is damaged: " + what);
}

/// Checks the durations among the fields of a struct. Their ratios may be NaN.
class FiniteNumbers {
public:
    template <typename T>
    void operator()(const char* /*key*/, const T& value) {
        look(value);
    }

private:
    template <typename T>
    void look(const T& value) {
        using namespace session_format;
        constexpr double kLargest = 1e15;
        if constexpr (std::is_floating_point_v<T>) require(std::abs(value) < kLargest, "a time is not a number");
        else if constexpr (kIsA<T, std::vector>) std::ranges::for_each(value, [this](const auto& v) { look(v); });
        else if constexpr (Is<T, Spread, StepTime>) fields(*this, value);
    }
};

void refuseUnsound(const CallingConvention& convention, std::size_t inputs) {
    const auto& [graphInputs, arguments, duplicateOf] = convention;
    require(arguments.size() == duplicateOf.size() && (arguments.empty() || arguments.size() == inputs),
            "its calling convention is of other inputs");
    for (const ArgumentSource& argument : arguments)
        require(argument.input < graphInputs.size(), "an argument is passed as an input that is not there");
    for (std::size_t i = 0; i < duplicateOf.size(); ++i)
        require(duplicateOf[i] <= i, "an argument is the duplicate of a later one");
    for (const GraphInput& input : graphInputs)
        require(!input.arguments.empty() && std::ranges::all_of(input.arguments, [&](auto i) { return i < inputs; }),
                "an input of its graph stands for arguments that are not there");
}

void refuseUnsound(const FunctionMetadata& metadata) {
    const std::size_t inputs = metadata.inputs.size(), outputs = metadata.outputs.size();
    for (std::size_t i = 0; i < outputs; ++i) {
        const OutputInfo& output = metadata.outputs[i];
        require(!output.repeats || *output.repeats < i, "an output repeats one that is not there");
        require(!output.aliasesInput() || (output.base && *output.base < inputs),
                "an output is an alias of an input that is not there");
        require(
            output.type != OutputType::aliasOfIntermediateBaseIsUserOutput || (output.base && *output.base < outputs),
            "an output is an alias of an output that is not there");
    }
    require(metadata.intermediateBases <= outputs, "it has more intermediate bases than outputs");
    refuseUnsound(metadata.convention, inputs);
}

void refuseUnsound(const OperatorCosts& costs) {
    constexpr double kLongest = 1e12;
    constexpr std::int64_t kMost = std::int64_t{1} << 50;
    constexpr int kMostThreads = 1024;
    require(std::ranges::is_sorted(costs.known, {}, &KnownCost::signature), "what operations take is out of order");
    require(costs.threads >= 1 && costs.threads <= kMostThreads, "operations use an impossible number of threads");
    for (const KnownCost& cost : costs.known) {
        require(!cost.us || (*cost.us >= 0 && *cost.us <= kLongest), "an operation takes an impossible time");
        require(!cost.innerBytes || (*cost.innerBytes >= 0 && *cost.innerBytes <= kMost),
                "an operation takes an impossible amount of memory");
        require(std::ranges::all_of(cost.resultBytes, [&](auto bytes) { return bytes >= 0 && bytes <= kMost; }),
                "an operation takes an impossible amount of memory");
    }
}

void refuseUnsound(const Partition& partition) {
    require(partition.forward && partition.backward, "a partition lacks one of its graphs");
    if (!partition.network) return;
    const auto vertices = static_cast<int>(partition.network->vertices.size());
    for (const CutNetwork::Edge& edge : partition.network->edges)
        require(std::min(edge.from, edge.to) >= 0 && std::max(edge.from, edge.to) < vertices,
                "an edge of its flow network has no ends");
}

/// Checks that the metadata of the function and of its graph match.
void requireSoundMetadata(const CompileRecord& record) {
    for (const auto& metadata : {record.metadata, record.graphMetadata})
        if (metadata) refuseUnsound(*metadata);
    for (const PassRecord& pass : record.passes)
        if (pass.metadata) refuseUnsound(*pass.metadata);
    require(!record.metadata || record.graphMetadata, "nothing is known of its graph");
    if (!record.metadata || record.metadata == record.graphMetadata) return;
    const auto& passed = record.metadata->convention.inputs;
    require(record.graphMetadata->inputs.size() <= (passed.empty() ? record.metadata->inputs.size() : passed.size()),
            "its graph has more inputs than are passed to it");
}

void refuseUnsound(const CompileRecord& record) {
    for (const auto& [kind, graph] : record.graphs) require(graph != nullptr, "a graph is missing");
    for (const PassRecord& pass : record.passes)
        for (const auto& [kind, graph] : pass.graphs) require(graph != nullptr, "a graph is missing");
    if (record.partition) refuseUnsound(*record.partition);
    refuseUnsound(record.knownCosts());
    requireSoundMetadata(record);
    for (const Rewrite& rewrite : record.rewrites)
        require(rewrite.parent < static_cast<std::int64_t>(record.rewrites.size()), "a rewrite is part of none");
}

void refuseUnsound(const std::vector<Recompilation>& recompilations) {
    for (const Recompilation& recompilation : recompilations) {
        require(recompilation.record != nullptr, "a recompilation has no record");
        refuseUnsound(*recompilation.record);
    }
}

void refuseUnsound(const CheckResult& check) {
    require(std::isfinite(check.tookMs), "a time is not a number");
    require(!check.ok || (check.differences.empty() && std::ranges::all_of(check.values, &CheckedValue::equal) &&
                          std::ranges::all_of(check.sizes, &SizeCheck::ok)),
            "its check says that everything is equal, and that something differs");
    refuseUnsound(check.recompilations);
}

/// Losses may be infinite, or not be numbers.
void refuseUnsound(const TrainResult& training) {
    for (const TrainStep& step : training.steps)
        for (const TrainIteration& each : {step.eager, step.compiled})
            require(std::isfinite(each.ms), "a time is not a number");
    require(std::isfinite(training.options.rate), "a learning rate is not a number");
    refuseUnsound(training.recompilations);
}

void requireSoundRanks(const Options& options) {
    try {
        aotscope::requireSound(options.world);
        linksNamed(options.links);
    } catch (const Error& e) {
        require(false, e.what());
    }
}

void refuseUnsound(const std::vector<SavedVariant>& variants) {
    for (const SavedVariant& variant : variants) {
        if (variant.partition) refuseUnsound(*variant.partition);
        if (variant.measured)
            require(std::isfinite(variant.measured->forwardMs) && std::isfinite(variant.measured->backwardMs),
                    "a time is not a number");
    }
}

/// Of any run: the shown one, or another.
template <typename Saved>
void refuseUnsoundResults(const Saved& run) {
    requireSoundRanks(run.options);
    FiniteNumbers finite;
    if (run.timing) session_format::fields(finite, *run.timing);
    if (run.check) refuseUnsound(*run.check);
    if (run.training) refuseUnsound(*run.training);
    refuseUnsound(run.variants);
    refuseUnsound(run.sweep);
}

void refuseUnsound(const SavedRun& run) {
    require(run.number > 0, "a run has no number");
    refuseUnsoundResults(run);
    if (!run.costs) return;
    const VariantCosts& costs = *run.costs;
    for (const double ms : {costs.forwardMs, costs.backwardMs, costs.recomputedMs, costs.exposedMs, costs.simulatedMs})
        require(std::isfinite(ms), "a time is not a number");
}

}  // namespace

void requireSound(const SessionContent& content) {
    require(content.record != nullptr, "it has no record of the passes");
    refuseUnsound(*content.record);
    refuseUnsoundResults(content);
    std::set<int> numbers;
    for (const SavedRun& run : content.runs) {
        refuseUnsound(run);
        require(numbers.insert(run.number).second && run.number != content.number, "two runs have the same number");
    }
}

void requireSound(const OperatorCosts& costs) { refuseUnsound(costs); }

}  // namespace aotscope
