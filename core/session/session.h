#pragma once

#include "io/session/content.h"
#include "passes/pass_observer.h"
#include "record/options/options.h"
#include "record/trace_log.h"
#include "remote/engine_link.h"
#include "session/executable.h"

#include <mutex>

namespace aotscope {

class RemoteHost;

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

    const Options& options() const { return options_; }
    /// As it was compiled; see learnCosts(). Lives as long as the session.
    std::shared_ptr<const CompileRecord> record() const {
        const std::scoped_lock lock(recordGuard_);
        return record_;
    }
    /// Ids of all compilations in a log of printed graphs; empty for a model.
    std::vector<std::string> compileIds() const { return compileIds_; }
    /// The other contents of the TORCH_TRACE log that it was opened from; null if it was opened from anything else.
    std::shared_ptr<const TraceLog> trace() const { return trace_; }
    /// The prefix of that log's ids among the compilations: "1:" for rank 1 of a folder of logs; empty for the first
    /// rank.
    const std::string& rankPrefix() const { return rankPrefix_; }
    /// All contents of the file, for an unchanged session opened from a file; otherwise null.
    const SessionContent* saved() const { return saved_; }
    /// Whether it was opened from a session file, with whatever options.
    bool ofSessionFile() const { return ofSessionFile_; }

    /// The spec of the example inputs; for inputs from a file, a spec with their shapes.
    virtual InputSpec inputSpec() const { return {}; }
    /// Names of the model's inputs in its source.
    virtual std::vector<std::string> inputNames() const { return {}; }
    /// Why the program cannot be compiled with other options, for lack of a program: one sentence; empty if it can.
    virtual std::string whyNotCompiled() const { return {}; }
    /// Why the inputs cannot be changed: one sentence; empty if they can.
    virtual std::string whyNoOtherInputs() const { return whyNotCompiled(); }
    /// Why nothing can run, for lack of a program or a device: one sentence; empty if it can.
    virtual std::string whyNotExecutable() const = 0;
    /// The contents of a session file; the caller adds results of runs, variants and the view. Reads the model's file
    /// to compute its hash.
    virtual SessionContent content() const = 0;
    /// Removes extracted files when the program ends: running jobs continue, but nothing can be opened afterwards.
    virtual void removeUnpacked() const {}

    /// The engine that has it; null if it is in this process.
    virtual std::shared_ptr<RemoteHost> host() const { return nullptr; }
    /// The connection to it; if it is another one than before, debuggers of before are gone.
    virtual EngineLink link() const { return {}; }
    /// `listener` is called, on any thread, when any connection to that engine ends, and when the session may have been
    /// opened in a new one, until the result is gone.
    virtual std::shared_ptr<void> watch(LinkWatchers::Listener /*listener*/) const { return nullptr; }
    /// From now on, the record has what is known by now of the costs of its operations, as after a run was timed. Does
    /// nothing if nobody can say.
    void learnCosts(const Progress& progress) const;
    /// Reconnects if it is broken, and opens it there again. Throws Error if that has changed; Cancelled.
    virtual void reconnect(const Progress&) const {}

    /// What runs it, for as long as it lives; a saved session is first compiled here. Throws Error if nothing can run.
    virtual const Executable& executable(const Progress& progress) const;

    // See Executable.
    std::vector<CompilerUse> compilers(const Progress& p) const { return executable(p).compilers(p); }
    CheckResult check(const Progress& p) const { return executable(p).check(p); }
    BisectResult bisect(const Progress& p) const { return executable(p).bisect(p); }
    TimingResult time(const TimingOptions& timing, const Progress& p) const { return executable(p).time(timing, p); }
    MeasuredOperators measureOperators(const Progress& p) const { return executable(p).measureOperators(p); }
    VariantTiming timeAgainst(const Session& other, const TimingOptions& timing, const Progress& p) const {
        return executable(p).timeAgainst(other.executable(p), timing, p);
    }
    void saveTorchScript(const Graph& graph, GraphKind kind, TorchScriptForm form,
                         const std::filesystem::path& file) const {
        executable({}).saveTorchScript(graph, kind, form, file);
    }
    void saveValues(const std::filesystem::path& file, const Progress& p) const { executable(p).saveValues(file, p); }
    /// If nothing can run, an example with the reason.
    GraphExample example(const Graph& graph, GraphKind kind, ExampleValues values, const Progress& progress) const;
    MinifyResult minify(const MinifyOptions& wanted, const Progress& p) const {
        return executable(p).minify(wanted, p);
    }
    std::shared_ptr<Debugger> debug(const Progress& p) const { return executable(p).debug(p); }
    TrainResult train(const TrainOptions& training, const Progress& p, const TrainListener& listener) const {
        return executable(p).train(training, p, listener);
    }

protected:
    explicit Session(Options options, std::shared_ptr<const CompileRecord> record = nullptr)
        : options_(std::move(options)), record_(std::move(record)) {}

    Options options_;
    mutable std::shared_ptr<const CompileRecord> record_;
    std::vector<std::string> compileIds_;
    std::shared_ptr<const TraceLog> trace_;
    std::string rankPrefix_;
    const SessionContent* saved_ = nullptr;
    bool ofSessionFile_ = false;

private:
    mutable std::mutex recordGuard_;                                     ///< who shows it is not who measures
    mutable std::vector<std::shared_ptr<const CompileRecord>> earlier_;  ///< that were returned
};

/// The options that open the model of `session` with another partition of its joint graph. A partition printed by
/// Python is not one of ours.
Options withPartition(const Session& session, PartitionOptions partition);

/// Process-wide settings of LibTorch and of memory; call once at start.
void initializeTorch();
/// Enables LibTorch's log on stderr.
void showTorchLog();
std::string torchVersion();

}  // namespace aotscope
