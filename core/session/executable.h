#pragma once

#include "record/compile_record.h"
#include "record/results/graph_example.h"
#include "record/results/measured_operators.h"
#include "record/results/minify_result.h"
#include "record/results/results.h"
#include "record/results/train_result.h"
#include "support/progress.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace aotscope {

class Debugger;

/// How a graph is exported: as a module for torch.jit.load, or as the text of its IR.
enum class TorchScriptForm : std::uint8_t { module, text };

/// Runs the compiled graphs of a session, here or in the engine. Every function throws Error if the pipeline failed, or
/// a run fails.
class Executable {
public:
    virtual ~Executable() = default;

    /// The backends of the graphs and the nodes that they fuse. Compiles what is otherwise compiled on first use.
    virtual std::vector<CompilerUse> compilers(const Progress& progress) const = 0;
    virtual CheckResult check(const Progress& progress) const = 0;
    /// The first pass and node whose values differ from eager's.
    virtual BisectResult bisect(const Progress& progress) const = 0;
    virtual TimingResult time(const TimingOptions& timing, const Progress& progress) const = 0;
    /// Runs every operation of the graphs by itself that nothing is known of yet: see measureAlone.
    virtual MeasuredOperators measureOperators(const Progress& progress) const = 0;
    /// What is known of the operations in all graphs of the session on the machine that runs them, at these sizes (see
    /// recordAt).
    virtual OperatorCosts operatorCosts(const SymbolValues& sizes, const Progress& progress) const = 0;
    /// Times this compiled function and another one, interleaved.
    virtual VariantTiming timeAgainst(const Executable& other, const TimingOptions& timing,
                                      const Progress& progress) const = 0;
    /// Exports `graph`, one of the session, to TorchScript. Throws Error if TorchScript cannot express it.
    virtual void saveTorchScript(const Graph& graph, GraphKind kind, TorchScriptForm form,
                                 const std::filesystem::path& file) const = 0;
    /// Runs forward and backward once, and writes the results for torch.load: a tuple (outputs, gradients).
    virtual void saveValues(const std::filesystem::path& file, const Progress& progress) const = 0;
    /// The arguments of `graph`, one of the session, in a run on the options' inputs. Throws Error if all values are
    /// requested and unavailable.
    virtual GraphExample example(const Graph& graph, GraphKind kind, ExampleValues values,
                                 const Progress& progress) const = 0;
    /// The smallest part of a graph that still shows a fault. Throws Error if no graph shows what is requested.
    virtual MinifyResult minify(const MinifyOptions& wanted, const Progress& progress) const = 0;
    /// A run of the compiled graphs for stepping, at its start; it outlives the session.
    virtual std::shared_ptr<Debugger> debug(const Progress& progress) const = 0;
    /// Trains copies of the parameters, eagerly and compiled. `listener` may be null; it is called after every step,
    /// even before a cancellation.
    virtual TrainResult train(const TrainOptions& training, const Progress& progress,
                              const TrainListener& listener) const = 0;
};

/// An example with the reason why it has no values. Throws Error if all are requested.
GraphExample exampleWithoutValues(const std::string& why, ExampleValues values);

}  // namespace aotscope
