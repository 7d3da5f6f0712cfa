#pragma once

#include "controllers/controller.h"
#include "panels/history_panel.h"

namespace aotscope {

/// Keeps the history of the selected node ready, and navigates when the user clicks in it.
class HistoryController : public Controller {
    Q_OBJECT

public:
    explicit HistoryController(const Surroundings& around);

    HistoryPanel* panel() const { return panel_; }

    void setRecord(std::shared_ptr<const CompileRecord> record);
    /// Whether the history is visible: it is computed only then.
    void setWanted(bool wanted);
    bool busy() const override { return job_.running(); }

Q_SIGNALS:
    /// The history has changed; empty: none.
    void changed(const std::vector<aotscope::HistoryStep>& steps);

private:
    void refresh();
    void markShown();
    void goTo(int step);

    HistoryPanel* panel_;
    BackgroundJob job_;
    std::shared_ptr<NodeFollower> follower_;  ///< used by the job alone
    bool wanted_ = false, going_ = false;
};

}  // namespace aotscope
