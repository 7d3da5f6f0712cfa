#pragma once

#include "record/results/step_moment.h"
#include "session/session.h"
#include "verify/compile_cache.h"
#include "verify/model_run.h"
#include "verify/training.h"

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace aotscope {

/// A session with a compiled function: everything that is done by running it.
class ExecutableSession : public Session, public Executable, public std::enable_shared_from_this<ExecutableSession> {
public:
    const Executable& executable(const Progress& /*progress*/) const override { return *this; }
    std::vector<CompilerUse> compilers(const Progress& progress) const override;
    CheckResult check(const Progress& progress) const override;
    BisectResult bisect(const Progress& progress) const override;
    TimingResult time(const TimingOptions& timing, const Progress& progress) const override;
    MeasuredOperators measureOperators(const Progress& progress) const override;
    OperatorCosts operatorCosts(const SymbolValues& sizes, const Progress& progress) const override;
    VariantTiming timeAgainst(const Executable& other, const TimingOptions& timing,
                              const Progress& progress) const override;
    void saveTorchScript(const Graph& graph, GraphKind kind, TorchScriptForm form,
                         const std::filesystem::path& file) const override;
    void saveValues(const std::filesystem::path& file, const Progress& progress) const override;
    GraphExample example(const Graph& graph, GraphKind kind, ExampleValues values,
                         const Progress& progress) const override;
    MinifyResult minify(const MinifyOptions& wanted, const Progress& progress) const override;
    std::shared_ptr<Debugger> debug(const Progress& progress) const override;
    TrainResult train(const TrainOptions& training, const Progress& progress,
                      const TrainListener& listener) const override;
    /// When each step of one run of the compiled function ran, with ranks that are processes. `waited`: how long this
    /// one has waited for others so far.
    std::vector<StepMoment> stepMoments(const std::function<std::chrono::nanoseconds()>& waited,
                                        const Progress& progress) const;

protected:
    using Session::Session;

    /// What to run, its compilation, and its options. Lives as long as the session.
    struct Runnable {
        const ModelRun& modelRun;
        const Compilation& compilation;
        const Options& options;
        HeldInputs held = {};
        std::string advice = {};  ///< what to do if the run fails, as a clause
    };
    /// Throws Error if nothing can be run.
    virtual Runnable runnable(const Progress& progress) const = 0;
    virtual const ConstantTable& constantsOf(GraphKind kind) const = 0;
    /// For inputs that the compiled function does not accept; `compilation` is its number. Throws Error.
    virtual Compilation recompile(const std::vector<c10::IValue>& leaves, std::size_t compilation,
                                  const Progress& progress) const = 0;

private:
    CompileCache compilations(const Runnable& run, const Progress& progress) const;
};

}  // namespace aotscope
