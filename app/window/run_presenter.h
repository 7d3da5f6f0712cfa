#pragma once

#include "cost/communication.h"
#include "window/controllers.h"
#include "window/session_handover.h"

#include <set>

namespace aotscope {

/// Shows runs everywhere: opened sessions, paused runs, and results when they arrive.
class RunPresenter : public QObject {
    Q_OBJECT

public:
    RunPresenter(Workbench& bench, const Controllers& controllers, SessionHandover* handover);

    void showSummary();
    void showInspector();
    /// The values of the partition in the joint graph.
    void showPartition();

Q_SIGNALS:
    /// Another session is shown.
    void sessionShown();
    /// The compilers of the run's graphs, or its times, have changed.
    void factsChanged();

private:
    void showSession(std::shared_ptr<const Session> session, const std::optional<FileState>& read);
    void showInControllers();
    void reportNotes();
    void showRecord();
    void showCompilers();
    void showVerdict();
    void showTimes();
    void showFirstDifference();
    void fillPages();
    void inspectSeveral(int module);
    std::size_t operationsOf(const std::shared_ptr<const Graph>& graph);
    const Communication& communication(const std::shared_ptr<const CompileRecord>& record);

    void takeCheck(const CheckResult& result);
    void takeBisection(const BisectResult& result);
    void renewCosts();
    void takeTiming(const TimingResult& result);
    void takeTimingOf(int number, const TimingResult& result);
    void takeTraining(const TrainResult& result);

    void connectBreakpoints();
    void showStop(const std::shared_ptr<const PipelineStop>& stop);
    void leavePartial();
    void setRunFinished(bool finished);

    Workbench& bench_;
    const Controllers& all_;
    SessionHandover* handover_;
    std::set<std::string> noted_;  ///< notes about compilers that were shown
    std::string verdictOf_;        ///< the model of the shown verdict
    struct Counted {
        std::weak_ptr<const Graph> graph;
        std::size_t operations = 0;
    } counted_;
    struct Communicated {
        std::weak_ptr<const CompileRecord> record;
        Communication found;
    } communicated_;
};

}  // namespace aotscope
