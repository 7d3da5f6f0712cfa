#pragma once

#include "io/session/content.h"
#include "passes/pass_observer.h"
#include "record/compile_record.h"
#include "record/options.h"
#include "record/results.h"
#include "record/train_result.h"
#include "support/progress.h"

#include <memory>

namespace aotscope {

class Debugger;

/// One model, compiled with one set of options: the door through which the window and the command line use the
/// pipeline. Knows no torch type in its interface. Safe to use from any one thread at a time.
class Session {
public:
    /// Loads and compiles. Throws Error when the model or its inputs cannot be had; a pass that fails leaves a
    /// session whose record holds the error and everything up to that pass. Throws Cancelled.
    /// `previous` may be null; if it holds the same unchanged model in the same mode, that is used again. `observer`
    /// may be null; printed graphs have no passes to observe.
    static std::shared_ptr<const Session> open(const Options& options, const Progress& progress,
                                               const std::shared_ptr<const Session>& previous = nullptr,
                                               PassObserver* observer = nullptr);
    virtual ~Session() = default;

    virtual const Options& options() const = 0;
    virtual std::shared_ptr<const CompileRecord> record() const = 0;
    /// The spec behind the example inputs; one with the shapes of recorded inputs where they came from a file.
    virtual InputSpec inputSpec() const = 0;
    /// Names of the model's inputs, as its source has them.
    virtual std::vector<std::string> inputNames() const = 0;

    /// Ids of all compilations in a log of printed graphs; empty for a model.
    virtual std::vector<std::string> compileIds() const { return {}; }
    /// Why no program can be compiled with other options, there being only graphs: one sentence; empty when it can.
    virtual std::string whyNotCompiled() const { return {}; }
    /// Why check(), bisect(), time(), debug() and train() cannot be, there being no program or no device: one sentence;
    /// empty when they can.
    virtual std::string whyNotExecutable() const = 0;

    /// What a session file keeps of it; results of runs, variants and the view are the caller's to add. Reads the
    /// model's file to know it again.
    virtual SessionContent content() const = 0;
    /// Of a session that was opened from a file and is as it was saved: all that the file holds. Else null.
    virtual const SessionContent* saved() const { return nullptr; }

    /// Which backends run the graphs and which nodes they fuse. Compiles what is else compiled at its first use. Throws
    /// Error as check() does.
    virtual std::vector<CompilerUse> compilers(const Progress& progress) const = 0;

    /// Throws Error when the pipeline had failed, or when a run fails.
    virtual CheckResult check(const Progress& progress) const = 0;
    /// The first pass and node whose values are not those of eager.
    virtual BisectResult bisect(const Progress& progress) const = 0;
    virtual TimingResult time(const TimingOptions& timing, const Progress& progress) const = 0;
    /// Times this compiled function and another one, interleaved.
    virtual VariantTiming timeAgainst(const Session& other, const TimingOptions& timing,
                                      const Progress& progress) const = 0;
    /// What runs for it: itself, or what a saved session is compiled to here. Throws Error if it cannot be.
    virtual const Session& executable(const Progress&) const { return *this; }

    /// Writes `graph`, one of this session, for TorchScript: as a module that torch.jit.load opens, or as the text of
    /// its representation. Throws Error where TorchScript cannot express it.
    enum class TorchScriptForm : std::uint8_t { module, text };
    virtual void saveTorchScript(const Graph& graph, GraphKind kind, TorchScriptForm form,
                                 const std::filesystem::path& file) const = 0;

    /// A run of the compiled graphs to step through, at its start; it outlives the session.
    virtual std::shared_ptr<Debugger> debug(const Progress& progress) const = 0;

    /// Trains copies of the parameters, eagerly and compiled. `listener` may be null; it hears of every step, also of
    /// those before a cancellation.
    virtual TrainResult train(const TrainOptions& training, const Progress& progress,
                              const TrainListener& listener) const = 0;
};

struct SampleInfo {
    std::string name, help;
};
std::vector<SampleInfo> sampleList();

/// Settings of LibTorch and of memory that hold for the whole process; call once at start.
void initializeTorch();
/// LibTorch's own log on stderr, which is off.
void showTorchLog();
std::string torchVersion();

}  // namespace aotscope
