#pragma once

#include "controllers/background_job.h"
#include "controllers/selection.h"
#include "panels/graph/graph_pane.h"
#include "panels/history_panel.h"

namespace aotscope {

/// Keeps the history of the selected node at hand, and goes where a person clicks in it.
class HistoryController : public QObject {
    Q_OBJECT

public:
    HistoryController(GraphPane* pane, Selection* selection, QWidget* parent);

    HistoryPanel* panel() const { return panel_; }

    void setRecord(std::shared_ptr<const CompileRecord> record);
    /// Whether anybody looks: a history is worked out only then.
    void setWanted(bool wanted);
    bool busy() const { return job_.running(); }

Q_SIGNALS:
    /// There is another history; empty: none.
    void changed(const std::vector<aotscope::HistoryStep>& steps);

private:
    void refresh();
    void markShown();
    void goTo(int step);

    GraphPane* pane_;
    Selection* selection_;
    HistoryPanel* panel_;
    BackgroundJob job_;
    std::shared_ptr<NodeFollower> follower_;  ///< used by the job alone
    bool wanted_ = false, going_ = false;
};

}  // namespace aotscope
