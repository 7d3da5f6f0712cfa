#pragma once

#include "io/session/content.h"
#include "passes/pass_observer.h"
#include "record/compile_record.h"
#include "record/options/options.h"
#include "record/results/graph_example.h"
#include "record/results/minify_result.h"
#include "record/results/results.h"
#include "record/results/train_result.h"
#include "support/progress.h"

#include <memory>

namespace aotscope {

class Debugger;

/// One model, compiled with one set of options: the interface of the pipeline for the window and the command line.
/// Exposes no LibTorch types. Usable from any thread, but only one at a time.
class Session {
public:
    /// Loads and compiles. Throws Error if the model or its inputs cannot be loaded; if a pass fails, the session's
    /// record has the error and everything up to that pass. Throws Cancelled. `previous` may be null; if it has the
    /// same unchanged model in the same mode, that model is reused. `observer` may be null; printed graphs have no
    /// passes to observe.
    static std::shared_ptr<const Session> open(const Options& options, const Progress& progress,
                                               const std::shared_ptr<const Session>& previous = nullptr,
                                               PassObserver* observer = nullptr);
    virtual ~Session() = default;

    virtual const Options& options() const = 0;
    virtual std::shared_ptr<const CompileRecord> record() const = 0;
    /// The spec of the example inputs; for inputs from a file, a spec with their shapes.
    virtual InputSpec inputSpec() const = 0;
    /// Names of the model's inputs in its source.
    virtual std::vector<std::string> inputNames() const = 0;

    /// Ids of all compilations in a log of printed graphs; empty for a model.
    virtual std::vector<std::string> compileIds() const { return {}; }
    /// Why the program cannot be compiled with other options, for lack of a program: one sentence; empty if it can.
    virtual std::string whyNotCompiled() const { return {}; }
    /// Why the inputs cannot be changed: one sentence; empty if they can.
    virtual std::string whyNoOtherInputs() const { return whyNotCompiled(); }
    /// Why check(), bisect(), time(), debug() and train() are not available, for lack of a program or a device: one
    /// sentence; empty if they are.
    virtual std::string whyNotExecutable() const = 0;

    /// The contents of a session file; the caller adds results of runs, variants and the view. Reads the model's file
    /// to compute its hash.
    virtual SessionContent content() const = 0;
    /// All contents of the file, for an unchanged session opened from a file; otherwise null.
    virtual const SessionContent* saved() const { return nullptr; }
    /// Removes extracted files when the program ends: running jobs continue, but nothing can be opened afterwards.
    virtual void removeUnpacked() const {}

    /// The backends of the graphs and the nodes that they fuse. Compiles what is otherwise compiled on first use.
    /// Throws Error like check().
    virtual std::vector<CompilerUse> compilers(const Progress& progress) const = 0;

    /// Throws Error if the pipeline failed, or a run fails.
    virtual CheckResult check(const Progress& progress) const = 0;
    /// The first pass and node whose values differ from eager's.
    virtual BisectResult bisect(const Progress& progress) const = 0;
    virtual TimingResult time(const TimingOptions& timing, const Progress& progress) const = 0;
    /// Times this compiled function and another one, interleaved.
    virtual VariantTiming timeAgainst(const Session& other, const TimingOptions& timing,
                                      const Progress& progress) const = 0;
    /// The session that runs in its place: itself, or a saved session compiled here. Throws Error if that fails.
    virtual const Session& executable(const Progress&) const { return *this; }

    /// Exports `graph`, one of this session, to TorchScript: as a module for torch.jit.load, or as the text of its IR.
    /// Throws Error if TorchScript cannot express it.
    enum class TorchScriptForm : std::uint8_t { module, text };
    virtual void saveTorchScript(const Graph& graph, GraphKind kind, TorchScriptForm form,
                                 const std::filesystem::path& file) const = 0;

    /// Runs forward and backward once, and writes the results for torch.load: a tuple (outputs, gradients). Throws
    /// Error like check().
    virtual void saveValues(const std::filesystem::path& file, const Progress& progress) const = 0;

    /// The arguments of `graph`, one of this session, in a run on the options' inputs. Without a program to run, an
    /// example with the reason. Throws Error if all values are requested and unavailable.
    virtual GraphExample example(const Graph& graph, GraphKind kind, ExampleValues values,
                                 const Progress& progress) const;

    /// The smallest part of a graph that still shows a fault. Throws Error if nothing can run, or no graph shows what
    /// is requested.
    virtual MinifyResult minify(const MinifyOptions& wanted, const Progress& progress) const;

    /// A run of the compiled graphs for stepping, at its start; it outlives the session.
    virtual std::shared_ptr<Debugger> debug(const Progress& progress) const = 0;

    /// Trains copies of the parameters, eagerly and compiled. `listener` may be null; it is called after every step,
    /// even before a cancellation.
    virtual TrainResult train(const TrainOptions& training, const Progress& progress,
                              const TrainListener& listener) const = 0;

protected:
    /// Throws Error if all values are requested.
    static GraphExample withoutValues(const std::string& why, ExampleValues values);
};

/// The options that open the model of `session` with another partition of its joint graph. A partition printed by
/// Python is not one of ours.
Options withPartition(const Session& session, PartitionOptions partition);

struct SampleInfo {
    std::string name, help;
};
std::vector<SampleInfo> sampleList();

/// Writes the module of "script:CODE" for torch.jit.load. Throws Error like Session::open.
void saveScript(const std::string& model, const std::filesystem::path& file);

/// Process-wide settings of LibTorch and of memory; call once at start.
void initializeTorch();
/// Enables LibTorch's log on stderr.
void showTorchLog();
std::string torchVersion();

}  // namespace aotscope
