#pragma once

#include "controllers/background_job.h"
#include "controllers/controller.h"
#include "controllers/debugging/breakpoint_controller.h"
#include "controllers/sessions/consent_controller.h"
#include "controllers/sessions/session_code.h"
#include "controllers/sessions/session_writer.h"
#include "window/compile_status.h"
#include "window/model_watcher.h"
#include "window/run_options.h"
#include "window/workbench.h"

#include <functional>

namespace aotscope {

/// Opens and runs models, one job at a time: the pipeline, and comparisons and timings of the open session. Asks for
/// missing inputs and consent. Results are announced by signals.
class RunController : public Controller {
    Q_OBJECT

public:
    RunController(Workbench& bench, BreakpointController* breakpoints);
    ~RunController() override;

    /// Opens a path or "sample:NAME" with the current options; see RunOptions::choose() for the inputs.
    void openModel(const QString& model, const InputSource& inputs = {}, const std::filesystem::path& inputFolder = {});
    void setOptions(const Options& options);
    /// Shows a session opened elsewhere, in place of the open one.
    void show(std::shared_ptr<const Session> session);
    /// Shows an earlier run of an open model, as it was. It may have to be compiled again.
    void showRun(const std::shared_ptr<Run>& run);
    const Options& options() const { return options_.current(); }
    /// As RunOptions::optionsOf().
    Options optionsOf(std::string_view model) const { return options_.optionsOf(std::string(model)); }

    /// Shared with everything else that runs the model.
    BackgroundJob* job() { return &job_; }
    bool running() const { return job_.running(); }
    bool busy() const override { return job_.running() || consent_->busy(); }
    /// A job of the open session starts that recompiles its model.
    void announce(const QString& title) {
        status_.begin(title, toQString(bench_.run.session()->record()->model.name), 1);
    }
    /// Shows the open session: restores its options, offers its compilations, watches its file.
    void takeSession();
    void offerCode() { sessionCode_->offer(*bench_.run.session()); }
    /// Every failure of a background job ends here, as a sentence; the window keeps its content.
    void reportFailure(const std::exception_ptr& error);

public Q_SLOTS:
    /// Compiles the model, whatever was compiled before.
    void run();
    void check();
    void findDifference();
    void time();
    void cancel();
    /// Compiles the function again with another partition of the same joint graph.
    void compileWith(const aotscope::PartitionOptions& partition);
    void openCompile(const QString& id);
    void editInputs();
    void editLibraries();
    void editLimits();

Q_SIGNALS:
    /// A run was requested, but no model is open.
    void modelWanted();
    /// A job has failed for it.
    void connectionLost(const aotscope::EngineLink& link);
    /// What this user's flags allow any model.
    void allowedChanged(const OperatorKinds& kinds);
    /// `read`: the state of the file when it was read for this; nothing: it was not.
    void opened(std::shared_ptr<const Session> session, const std::optional<FileState>& read);
    void checked(const CheckResult& result);
    void bisected(const BisectResult& result);
    void timed(const TimingResult& result);
    /// The set of available actions may have changed.
    void adapted();
    /// The log of the shown graphs has grown.
    void logGrown();

private:
    void connectOptions();
    void connectConsent();
    /// The options have changed: shows the run that they lead to, an earlier or a new one.
    void showWhatIsChosen();
    void compile(const Options& options, bool reads, std::function<void(const std::shared_ptr<const Session>&)> take);
    /// Starts `work` on the open session, if any, and announces its result by the signal `done`.
    template <typename Result>
    void runOnSession(const QString& title, const std::function<Result(const Session&, const Progress&)>& work,
                      void (RunController::*done)(const Result&));
    void askForOperators(const OperatorsRefused& refused);
    QString inputsKey() const;
    void askForInputs(const InputSpec& suggestion, const std::vector<std::string>& names, const QString& reason);
    void onJobFailure(const std::exception_ptr& error);
    void onModelChanged(const QString& path);
    void tellUnused(const Options& options);
    void returnToSession();
    void adapt();

    Workbench& bench_;
    BreakpointController* breakpoints_;
    ConsentController* consent_;
    SessionCode* sessionCode_;
    RunOptions options_;
    bool reload_ = false;  ///< read the session file even if it is the open one
    CompileStatus status_;
    ModelWatcher watcher_;
    BackgroundJob job_;
};

}  // namespace aotscope
