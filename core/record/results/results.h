#pragma once

#include "record/compile_record.h"
#include "record/options/compiler_choice.h"
#include "record/results/machine_load.h"
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
        offset,    ///< where an output begins in shared memory
        aliasing,  ///< what an output shares memory with, and whether it requires grad
        version,   ///< whether the input's version counter was incremented
        memory,    ///< memory around an input that is a view
        presence,  ///< only one of the two has such a value
    } kind = Kind::value;
    std::string what;                   ///< "output 0", "gradient of 'w'", "input 'x' after the run"
    double maxAbs = 0, maxRel = 0;      ///< values only; maxRel: relative to the tensor's largest element
    std::vector<std::int64_t> index;    ///< values only: index of the largest error
    std::string expected, actual;       ///< of eager and of the compiled function: that element, or whatever differs
    std::int64_t count = 0, total = 0;  ///< values only: the number of elements that differ, and of all
    SymbolValues sizes;                 ///< at which it was found; empty: those of the example
};
std::string_view name(Difference::Kind kind);
/// One sentence; `reference` names the source of the expected value.
std::string describe(const Difference& difference, const std::string& reference = "eager");

/// A value compared by a check: its difference from eager's, and the tolerance.
struct CheckedValue {
    enum class Kind : std::uint8_t {
        output,
        gradient,
        input,  ///< after the run; only inputs written by eager or the compiled function
    } kind = Kind::output;
    std::size_t index = 0;            ///< for outputs and inputs: the position among the function's
    std::string name;                 ///< for inputs and gradients, the model's name; for outputs: "output 0"
    std::string what;                 ///< see Difference::what
    std::string type;                 ///< eager's: "f32[8, 10]"
    double maxAbs = 0, maxRel = 0;    ///< largest error; maxRel: relative to the tensor's largest element
    double tolerance = 0;             ///< the largest maxRel that counts as rounding; 0: must be equal
    bool equal = true;                ///< no difference in elements, shape, strides or aliasing
    std::int64_t nans = 0, infs = 0;  ///< number of non-finite elements in eager
    std::int64_t meaningless = 0;     ///< number of elements that were not compared: uninitialized memory
};

std::string_view name(CheckedValue::Kind kind);

/// An additional compilation, for inputs that existing ones did not accept.
struct Recompilation {
    std::shared_ptr<const CompileRecord> record;  ///< its number is record->compilation
    std::string reason;                           ///< the assumption of the first one that the inputs violate
};

/// A check at other sizes than the example's.
struct SizeCheck {
    SymbolValues sizes;
    bool ok = true;
    bool recompiled = false;  ///< no existing compilation accepted these sizes
    std::string reason;       ///< for recompiling
    std::string refused;      ///< why eager does not run at these unrequested sizes; nothing was then compared
};

/// The verdict of a check, which only covers what ran.
enum class CheckVerdict : std::uint8_t {
    equal,
    differs,
    notCompared  ///< nothing differs, but the backward fails on both sides
};
std::string_view name(CheckVerdict verdict);

/// The comparison of the compiled function with eager, from equal state and equal RNG state.
struct CheckResult {
    bool ok = true;  ///< nothing that was compared differs
    bool backwardRun = false;
    std::string backwardError;          ///< why it cannot run, even in eager
    std::string compiledBackwardError;  ///< why it cannot run in the compiled function, either
    double outputsMaxError = 0;         ///< largest difference, relative to the largest element of its tensor
    double gradsMaxError = 0;
    bool inputsAfterOk = true;  ///< values and shapes of all inputs after the run, including buffers
    bool aliasingOk = true;     ///< memory shared between outputs and inputs; requires_grad
    std::vector<Difference> differences;
    std::vector<std::string> details;           ///< one sentence for each difference
    std::vector<std::string> notes;             ///< about the comparison: sentences without a period
    std::vector<CheckedValue> values;           ///< at the sizes of the example
    double eagerMs = 0, compiledMs = 0;         ///< of one forward and backward without warm-up; 0: unknown
    double tookMs = 0;                          ///< the whole check; 0: unknown
    std::uint64_t seed = 0;                     ///< of random inputs and operations, equal for eager and compiled
    std::vector<SizeCheck> sizes;               ///< with dynamic shapes
    int hits = 0, misses = 0;                   ///< of existing compilations
    std::vector<Recompilation> recompilations;  ///< one for each miss
    std::vector<CompilerUse> compilers;

    CheckVerdict verdict() const {
        return !ok ? CheckVerdict::differs : backwardError.empty() ? CheckVerdict::equal : CheckVerdict::notCompared;
    }
};
/// A clause about a backward that fails on both sides; `reference` names the source of the expected values.
std::string backwardFailure(const CheckResult& result, const std::string& reference = "eager");
/// "2 outputs hold NaN in both", "1 gradient holds infinities in both": one clause each; empty for finite values.
std::vector<std::string> equallyNotFinite(const CheckResult& result);
/// Why elements of a value were not compared, as a sentence; empty if all were.
std::string whyNotCompared(const CheckedValue& value);

/// The first pass after which the values differ from eager's, and the first node that computes a wrong value.
struct BisectResult {
    bool found = false;
    PassId pass = PassId::source;     ///< if a difference was found
    std::string title;                ///< of the pass, see PassRecord
    std::optional<GraphKind> graph;   ///< of the pass; nothing: the difference is not in a graph
    NodeId node = kNoNode;            ///< kNoNode: the pass removed it, or no single node is responsible
    std::string nodeName, op, place;  ///< place: in the model
    std::string reason;               ///< the problem with the node, if its value alone does not show it
    std::optional<Difference> value;  ///< the node's value compared with its reference
    std::vector<Difference> outputs;  ///< what differs after the pass
    std::vector<std::string> passes;  ///< in order; the last one is `pass` if a difference was found
    std::vector<std::string> notes;   ///< what could not be compared, and why
    SymbolValues sizes;               ///< at which it was found; empty: those of the example
};
std::string_view passName(const BisectResult& result);
/// One sentence.
std::string describe(const BisectResult& result);

/// Number of timed runs.
struct TimingOptions {
    int iterations = 10;
    int warmUps = 1;  ///< not measured
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
    std::int64_t innerBytes = -1;     ///< allocated besides its results, and freed, while it ran; -1: unknown
    std::vector<std::int64_t> resultBytes = {};  ///< see KnownCost
};

/// The times of a graph of the compiled function and of its steps, both without the wrapper around it. The displayed
/// time of a graph is graphMs (graph_times.h).
struct GraphTime {
    GraphKind graph = GraphKind::forward;  ///< see StepTime
    Spread ms;                             ///< without per-step timing
    Spread observedMs;                     ///< while its steps were timed, interleaved with ms
    double stepsMs = 0;                    ///< sum of the steps' medians
    Ratio stepsRatio;     ///< steps summed, relative to the graph in the same iteration, without the clock's overhead
    Ratio observedRatio;  ///< with timed steps, including the clock, divided by without
};

struct TimingResult {
    int iterations = 0, warmUps = 0;
    bool backward = false;
    double clockUs = 0;  ///< time to read the clock; subtracted from every time
    Spread eagerForwardMs, eagerBackwardMs, compiledForwardMs, compiledBackwardMs;  ///< of whole runs, with the wrapper
    Spread eagerStepMs, compiledStepMs;                                             ///< forward and backward
    Ratio forwardRatio, backwardRatio, stepRatio;                                   ///< compiled divided by eager
    std::vector<GraphTime> graphs;
    std::vector<StepTime> steps;
    std::int64_t eagerPeakBytes = 0, compiledPeakBytes = 0;    ///< of forward and backward, excluding the arguments
    std::int64_t eagerSavedBytes = 0, compiledSavedBytes = 0;  ///< kept by a forward for its backward
    std::vector<CompilerUse> compilers;
    MachineLoad load;
};

/// Two compiled functions, timed interleaved, in whole runs as in graphMs.
struct VariantTiming {
    struct Part {
        Spread firstMs, secondMs;
        Ratio ratio;  ///< second divided by first
    };
    std::string first, second;  ///< their names
    int iterations = 0, warmUps = 0;
    bool backward = false;
    Part forwardPart, backwardPart, step;
    std::int64_t firstPeakBytes = 0, secondPeakBytes = 0;
    MachineLoad load;
};

}  // namespace aotscope
