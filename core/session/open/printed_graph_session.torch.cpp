#include "session/open/printed_graph_session.h"

#include "device/device.h"
#include "execute/out_of_memory.h"
#include "session/open/session_saved.h"
#include "verify/foreign_job.h"

namespace aotscope {

namespace {

constexpr const char* kNotCompiled =
    "printed graphs cannot be recompiled without the program they came from; open the model itself";

constexpr const char* kInputsMade =
    "the inputs are generated from the printed types and may not fit, for example as indices, or if a size or the "
    "number of loop steps depends on values: give the program's own with --inputs FILE";

}  // namespace

PrintedGraphSession::PrintedGraphSession(const Options& options, ChosenLog log, FileStamp stamp,
                                         std::shared_ptr<const CompileRecord> record)
    : ExecutableSession(options, std::move(record)),
      log_(std::move(log)),
      stamp_(stamp),
      whyNot_(whyPrintedCannotRun(*record_)) {
    rankPrefix_ = log_.rank;
    options_.compileId = log_.rank + log_.compileId;
}

InputSpec PrintedGraphSession::inputSpec() const {
    if (const auto* spec = std::get_if<InputSpec>(&options_.inputs)) return *spec;
    return whyNot_.empty() ? printedInputs(runnableGraphs(*record_, options_.device)) : InputSpec();
}

std::vector<std::string> PrintedGraphSession::inputNames() const {
    return whyNot_.empty() ? printedInputNames(*record_->graph(executedGraphs(*record_).front()))
                           : std::vector<std::string>();
}

std::string PrintedGraphSession::whyNotCompiled() const { return kNotCompiled; }

std::string PrintedGraphSession::whyNotExecutable() const {
    const std::string device = whyDeviceCannotRun(options_.device);
    return device.empty() ? whyNot_ : device;
}

SessionContent PrintedGraphSession::content() const {
    SessionContent content = contentOf(*this, reference_.get(options_.model, stamp_));
    content.runsAsItIs = whyNot_.empty();
    return content;
}

TrainResult PrintedGraphSession::train(const TrainOptions& training, const Progress& progress,
                                       const TrainListener& listener) const {
    if (const std::string why = whyNotExecutable(); !why.empty()) throw Error(why);
    if (executedGraphs(*record_).size() < 2)
        throw Error("a printed graph can only be trained if its forward and backward exist; open the model itself");
    if (heldInputs(*record_).empty())
        throw Error(
            "the printed graphs cannot be trained: the text does not say which of their inputs are "
            "parameters; TORCH_TRACE writes it");
    return ExecutableSession::train(training, progress, listener);
}

/// Created when something first runs: inputs may be large.
ExecutableSession::Runnable PrintedGraphSession::runnable(const Progress& progress) const {
    if (const std::string why = whyNotExecutable(); !why.empty()) throw Error(why);
    const std::scoped_lock lock(mutex_);
    if (!run_) run_ = makeRun(progress);
    const bool made = std::holds_alternative<std::monostate>(options_.inputs);
    return {*run_->modelRun, run_->compilation, run_->options, heldInputs(*record_), made ? kInputsMade : ""};
}

std::unique_ptr<const PrintedRun> PrintedGraphSession::makeRun(const Progress& progress) const {
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

const ConstantTable& PrintedGraphSession::constantsOf(GraphKind /*kind*/) const {
    static const ConstantTable none;
    return none;
}

Compilation PrintedGraphSession::recompile(const std::vector<c10::IValue>&, std::size_t, const Progress&) const {
    throw Error(kNotCompiled);
}

}  // namespace aotscope
