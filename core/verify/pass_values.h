#pragma once

#include "support/progress.h"
#include "verify/first_bad_node.h"
#include "verify/graph_arguments.h"
#include "verify/judge/comparison.h"
#include "verify/judge/graph_values.h"
#include "verify/run_io.h"

namespace aotscope {

/// The results of one pass's graphs together, in the order of a joint graph's outputs.
struct Returned {
    std::vector<c10::IValue> values;
    std::vector<OutputSlot> slots;
};

/// One pass, run on eager's inputs.
struct PassValues {
    bool evaluated = true;        ///< false: its graphs have other inputs than the compiled ones
    std::vector<JudgedRun> runs;  ///< one for each graph
    Returned returned;
    std::vector<Difference> differences;
    Arithmetic arithmetic = {};
};

/// Judges every value of a run.
using Visit = std::function<Judgement(const Node& node, const c10::IValue& value)>;

/// Runs the graphs of passes, always on the same inputs and with the same RNG state.
class PassRunner {
public:
    /// Runs the program and, to get the arguments of its graphs, the compiled function. `modelRun` and `compilation`
    /// must outlive it.
    PassRunner(const ModelRun& modelRun, const Compilation& compilation, const Options& options, SymbolValues sizes);

    /// Compares the pass's results with eager and with `before`, those of the previous pass. `visit` may be null. The
    /// effect of rounding is measured on the first difference.
    PassValues run(const PassRecord& pass, const Returned& before, const Visit& visit);
    /// Copies of all values of a pass other than compile in another arithmetic, named as in SnapshotValues.
    NamedTensors values(const PassRecord& pass, const Arithmetic& arithmetic) const;

    /// What cannot be compared, and why.
    const std::vector<std::string>& notes() const { return notes_; }

private:
    void measureNoise();
    PassValues runOnce(const PassRecord& pass, const Returned& before, const Visit& visit,
                       const Arithmetic& arithmetic) const;
    GraphRun runOne(const ConstantTable& constants, const std::vector<c10::IValue>& arguments, const Visit& visit,
                    JudgedRun& judged, PassValues& e) const;
    Tolerance results() const { return {noise_ ? &*noise_ : nullptr}; }
    /// Not everything that passes return is observable in eager.
    Tolerance sinceBefore(const std::string& what) const {
        return {results().noise, !noise_ || noise_->allowed(what).defined()};
    }
    void runAsWritten(const Visit& visit, PassValues& e) const;
    std::size_t firstThatIs(std::size_t leaf) const;
    void runWhole(const PassRecord& pass, const Returned& before, const Visit& visit, PassValues& e) const;
    void runHalves(const PassRecord& pass, const Returned& before, const Visit& visit, PassValues& e) const;
    void runCompiled(const PassRecord& pass, const Visit& visit, PassValues& e) const;
    void lookInside(const PassRecord& pass, const Visit& visit, PassValues& e) const;
    void compareReturned(const Returned& before, PassValues& e, const std::function<void(std::size_t)>& bad) const;
    void compareWritten(const Graph& graph, const std::vector<c10::IValue>& after, PassValues& e) const;
    std::optional<std::size_t> leafOf(const std::string& name) const;
    bool ownsGradient(std::size_t leaf) const;
    const FunctionMetadata& metadata() const { return *compilation_.record->metadata; }

    const ModelRun& modelRun_;
    const Compilation& compilation_;
    const Options& options_;
    SymbolValues sizes_;
    FlatFunction function_;
    RunIO eager_;
    std::vector<c10::IValue> leaves_;
    GraphArguments called_;
    std::optional<NoiseEstimate> noise_;
    std::vector<std::string> notes_;
};

}  // namespace aotscope
