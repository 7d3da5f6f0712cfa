#include "session/open/printed_session.h"

#include "compile/compilers.h"
#include "cost/book/known_operators.h"
#include "cost/known_machines.h"
#include "device/device.h"
#include "execute/out_of_memory.h"
#include "io/session/requested_code.h"
#include "partition/plan_function.h"
#include "passes/torch_rules.h"
#include "session/open/executable_session.h"
#include "verify/foreign_job.h"
#include "verify/printed/printed_run.h"

#include <mutex>

namespace aotscope {

namespace {

constexpr const char* kInputsMade =
    "the inputs are generated from the printed types and may not fit, for example as indices, or if a size or the "
    "number of loop steps depends on values: give the program's own with --inputs FILE";

/// Printed graphs run as they are, on given inputs or ones created from their types.
class PrintedGraphSession final : public PrintedSession<ExecutableSession> {
public:
    PrintedGraphSession(const Options& options, PrintedReading read)
        : PrintedSession(options, std::move(read)), whyNot_(whyPrintedCannotRun(*record_)) {}

    InputSpec inputSpec() const override {
        if (const auto* spec = std::get_if<InputSpec>(&options_.inputs)) return *spec;
        return whyNot_.empty() ? printedInputs(runnableGraphs(*record_, options_.device)) : InputSpec();
    }
    std::vector<std::string> inputNames() const override {
        return whyNot_.empty() ? printedInputNames(*record_->graph(executedGraphs(*record_).front()))
                               : std::vector<std::string>();
    }
    std::string whyNoOtherInputs() const override { return whyNot_; }
    std::string whyNotExecutable() const override {
        const std::string device = whyDeviceCannotRun(options_.device);
        return device.empty() ? whyNot_ : device;
    }
    SessionContent content() const override {
        SessionContent content = PrintedSession::content();
        content.runsAsItIs = whyNot_.empty();
        dropUnusedPlugins(content.options.compilers, compilerList);
        return content;
    }

    TrainResult train(const TrainOptions& training, const Progress& progress,
                      const TrainListener& listener) const override {
        if (const std::string why = whyNotExecutable(); !why.empty()) throw Error(why);
        if (executedGraphs(*record_).size() < 2)
            throw Error("a printed graph can only be trained if its forward and backward exist; open the model itself");
        if (heldInputs(*record_).empty())
            throw Error(
                "the printed graphs cannot be trained: the text does not say which of their inputs are "
                "parameters; TORCH_TRACE writes it");
        return ExecutableSession::train(training, progress, listener);
    }

private:
    /// Created when something first runs: inputs may be large.
    Runnable runnable(const Progress& progress) const override {
        if (const std::string why = whyNotExecutable(); !why.empty()) throw Error(why);
        const std::scoped_lock lock(mutex_);
        if (!run_) run_ = makeRun(progress);
        const bool made = std::holds_alternative<std::monostate>(options_.inputs);
        return {*run_->modelRun, run_->compilation, run_->options, heldInputs(*record_), made ? kInputsMade : ""};
    }

    std::unique_ptr<const PrintedRun> makeRun(const Progress& progress) const {
        progress.enter("inputs");
        try {
            return foreignJob(Budget(progress), options_.allow,
                              [&] { return std::make_unique<const PrintedRun>(makePrintedRun(*record_, options_)); });
        } catch (const Cancelled&) {
            throw;
        } catch (const Error&) {
            throw;
        } catch (const std::exception& e) {
            if (isOutOfMemory(e)) throw Error(outOfMemoryText(e, "while making inputs", {}));
            throw Error("the printed graphs cannot be prepared for a run: " + firstSentence(e.what()));
        }
    }

    const ConstantTable& constantsOf(GraphKind /*kind*/) const override {
        static const ConstantTable none;
        return none;
    }

    Compilation recompile(const std::vector<c10::IValue>&, std::size_t, const Progress&) const override {
        throw Error(kPrintedNotCompiled);
    }

    std::string whyNot_;  ///< it cannot run; empty: it can
    mutable std::mutex mutex_;
    mutable std::unique_ptr<const PrintedRun> run_;  ///< null until something is run
};

}  // namespace

std::shared_ptr<const Session> openPrinted(const Options& options, ModelSource source, const Progress& progress,
                                           const std::shared_ptr<const Session>& previous, PassObserver* observer) {
    auto read = readPrinted(
        {options, torchRules(), {machineOf(options.device), planByFunction}, progress, previous.get(), observer},
        source);
    if (!read) return nullptr;
    auto record = std::make_shared<CompileRecord>(*read->record);
    record->costs = knownCosts(*record, options.device);
    read->record = std::move(record);
    if (std::string why = read->whyNoGraphs; !why.empty()) return shownOnly(options, std::move(*read), std::move(why));
    return std::make_shared<PrintedGraphSession>(options, std::move(*read));
}

}  // namespace aotscope
