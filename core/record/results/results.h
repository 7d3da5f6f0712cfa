#pragma once

#include "record/compile_record.h"
#include "record/options/compiler_choice.h"
#include "record/results/statistics.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// A difference between the compiled function and eager that a user can observe.
struct Difference {
    enum class Kind : std::uint8_t {
        value,
        shape,  ///< sizes or dtype
        strides,
        offset,    ///< where in shared memory an output begins
        aliasing,  ///< what an output shares memory with, whether it requires a gradient
        version,   ///< whether the input counts as written
        memory,    ///< what lies around an input that is a view
        presence,  ///< there is such a value in only one of the two
    } kind = Kind::value;
    std::string what;                   ///< "output 0", "gradient of 'w'", "input 'x' after the run"
    double maxAbs = 0, maxRel = 0;      ///< values only; maxRel: of the tensor's largest element
    std::vector<std::int64_t> index;    ///< values only: index of the largest error
    std::string expected, actual;       ///< eager's and compiled's: that element, or whatever differs
    std::int64_t count = 0, total = 0;  ///< values only: elements that differ, and all
    SymbolValues sizes;                 ///< the sizes at which it was found; empty: those of the example
};
std::string_view name(Difference::Kind kind);
/// One sentence; `reference` says where the expected value comes from.
std::string describe(const Difference& difference, const std::string& reference = "eager");

/// A value that a check has compared: how far it is from eager's, and how far it may be.
struct CheckedValue {
    enum class Kind : std::uint8_t {
        output,
        gradient,
        input,  ///< as it is after the run; only inputs that eager or the compiled function has written
    } kind = Kind::output;
    std::size_t index = 0;            ///< of outputs and inputs: the position among the function's
    std::string name;                 ///< of inputs and gradients, as the model has it; of outputs: "output 0"
    std::string what;                 ///< as Difference::what
    std::string type;                 ///< eager's: "f32[8, 10]"
    double maxAbs = 0, maxRel = 0;    ///< largest error; maxRel: of the tensor's largest element
    double tolerance = 0;             ///< the largest maxRel that is rounding; 0: it has to be equal
    bool equal = true;                ///< nothing about it differs: elements, shape, strides, aliasing
    std::int64_t nans = 0, infs = 0;  ///< elements that are not finite in eager
    std::int64_t meaningless = 0;     ///< elements that were not compared: memory that nothing has written
};

std::string_view name(CheckedValue::Kind kind);

/// A compilation in addition to the first, made for inputs that no compilation at hand accepted.
struct Recompilation {
    std::shared_ptr<const CompileRecord> record;  ///< its number is record->compilation
    std::string reason;                           ///< which assumption of the first one the inputs do not meet
};

/// A check at other sizes than the example's.
struct SizeCheck {
    SymbolValues sizes;
    bool ok = true;
    bool recompiled = false;  ///< no compilation at hand accepted these sizes
    std::string reason;       ///< of recompiling
    std::string refused;      ///< why eager does not run at these sizes, which nobody named; then nothing was compared
};

/// What a check says: there is a verdict only on what ran.
enum class CheckVerdict : std::uint8_t {
    equal,
    differs,
    notCompared  ///< nothing differs, but the backward fails on both sides
};
std::string_view name(CheckVerdict verdict);

/// Comparison of the compiled function with eager, from equal state and equal RNG state.
struct CheckResult {
    bool ok = true;  ///< nothing that was compared differs
    bool backwardRun = false;
    std::string backwardError;          ///< why it cannot run, not even in eager
    std::string compiledBackwardError;  ///< why that of the compiled function cannot run either
    double outputsMaxError = 0;         ///< largest difference, relative to the largest element of its tensor
    double gradsMaxError = 0;
    bool inputsAfterOk = true;  ///< values and shapes of all inputs, buffers included, after the run
    bool aliasingOk = true;     ///< which outputs share memory with which inputs and outputs; requires_grad
    std::vector<Difference> differences;
    std::vector<std::string> details;           ///< one sentence for each difference
    std::vector<std::string> notes;             ///< on how the two were compared: sentences without an end
    std::vector<CheckedValue> values;           ///< at the sizes of the example
    double eagerMs = 0, compiledMs = 0;         ///< of one forward and backward, not warmed up; 0: not known
    double tookMs = 0;                          ///< all of the check; 0: not known
    std::uint64_t seed = 0;                     ///< of random inputs and operations, equal for eager and compiled
    std::vector<SizeCheck> sizes;               ///< where sizes vary
    int hits = 0, misses = 0;                   ///< of the compilations at hand
    std::vector<Recompilation> recompilations;  ///< one for each miss
    std::vector<CompilerUse> compilers;

    CheckVerdict verdict() const {
        return !ok ? CheckVerdict::differs : backwardError.empty() ? CheckVerdict::equal : CheckVerdict::notCompared;
    }
};
/// One clause on a backward that fails on both sides; `reference` says where the expected values come from.
std::string backwardFailure(const CheckResult& result, const std::string& reference = "eager");
/// "2 outputs hold NaN in both", "1 gradient holds infinities in both": one clause for each; nothing for finite values.
std::vector<std::string> equallyNotFinite(const CheckResult& result);
/// Why elements of a value were not compared, as a sentence; empty: all were.
std::string whyNotCompared(const CheckedValue& value);

/// The first pass after which the values differ from eager's, and the first node that computes a wrong one.
struct BisectResult {
    bool found = false;
    PassId pass = PassId::source;     ///< if one was found
    std::string title;                ///< of the pass, as PassRecord has it
    std::optional<GraphKind> graph;   ///< of the pass; nothing: the difference is in no graph
    NodeId node = kNoNode;            ///< kNoNode: the pass removed it, or no single node is responsible
    std::string nodeName, op, place;  ///< place: in the model
    std::string reason;               ///< what is wrong with the node, if its value alone does not show it
    std::optional<Difference> value;  ///< the node's value against its reference
    std::vector<Difference> outputs;  ///< what differs after the pass
    std::vector<std::string> passes;  ///< that were run, in order; the last one is `pass` if a difference was found
    std::vector<std::string> notes;   ///< what could not be compared, and why
    SymbolValues sizes;               ///< at which it was found; empty: those of the example
};
std::string_view passName(const BisectResult& result);
/// One sentence.
std::string describe(const BisectResult& result);

/// Number of timed runs.
struct TimingOptions {
    int iterations = 10;
    int warmUps = 1;  ///< before, not counted
};

struct StepTime {
    GraphKind graph = GraphKind::forward;  ///< forward, backward or inference
    std::size_t index = 0;
    NodeId node = kNoNode;
    std::string name, op;
    double medianUs = 0;
    std::int64_t bytes = 0;           ///< of its results
    std::int64_t liveBytes = 0;       ///< peak memory while it ran, excluding the arguments
    double lowerUs = 0, upperUs = 0;  ///< quartiles
};

/// How the steps of a graph of the compiled function compare with the graph, both without the wrapper around it. What
/// is shown as a graph's time is graphMs (graph_times.h).
struct GraphTime {
    GraphKind graph = GraphKind::forward;  ///< as StepTime has it
    Spread ms;                             ///< without per-step timing
    Spread observedMs;                     ///< while its steps were timed, interleaved with ms
    double stepsMs = 0;                    ///< sum of the steps' medians
    Ratio stepsRatio;     ///< sum of its steps to the graph itself, in the same iteration, without the clock's overhead
    Ratio observedRatio;  ///< with its steps timed, clock included, to without
};

struct TimingResult {
    int iterations = 0, warmUps = 0;
    bool backward = false;
    double clockUs = 0;  ///< overhead of reading the clock; subtracted from every time
    Spread eagerForwardMs, eagerBackwardMs, compiledForwardMs, compiledBackwardMs;  ///< of whole runs, wrapper included
    Spread eagerStepMs, compiledStepMs;                                             ///< forward and backward
    Ratio forwardRatio, backwardRatio, stepRatio;                                   ///< compiled to eager
    std::vector<GraphTime> graphs;
    std::vector<StepTime> steps;
    std::int64_t eagerPeakBytes = 0, compiledPeakBytes = 0;    ///< of forward and backward, excluding the arguments
    std::int64_t eagerSavedBytes = 0, compiledSavedBytes = 0;  ///< kept by a forward for its backward
    std::vector<CompilerUse> compilers;
};

/// Two compiled functions, timed interleaved, in whole runs as graphMs has them.
struct VariantTiming {
    struct Part {
        Spread firstMs, secondMs;
        Ratio ratio;  ///< second to first
    };
    std::string first, second;  ///< what the two are called
    int iterations = 0, warmUps = 0;
    bool backward = false;
    Part forwardPart, backwardPart, step;
    std::int64_t firstPeakBytes = 0, secondPeakBytes = 0;
};

}  // namespace aotscope
