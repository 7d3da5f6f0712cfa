#pragma once

#include "controllers/background_job.h"
#include "controllers/controller.h"
#include "controllers/selection.h"
#include "controllers/settings.h"
#include "panels/trace_panel.h"
#include "session/session.h"

namespace aotscope {

/// Shows the records of a TORCH_TRACE log besides its graphs.
class TraceController : public Controller {
    Q_OBJECT

public:
    TraceController(const Selection* selection, Settings* settings, QWidget* window);
    ~TraceController() override;

    TracePanel* panel() const { return panel_; }
    /// The session's log, if it has one.
    void setSession(const std::shared_ptr<const Session>& session) override;
    /// The log is still being written: reads new records.
    void refresh();
    bool shows() const { return log_ != nullptr; }
    bool busy() const override { return overview_.running() || page_.running(); }

Q_SIGNALS:
    /// A log with several compilations was opened, and none of them was asked for.
    void summaryShown();
    /// Open the graphs of this compilation.
    void compileAsked(const QString& id);
    /// Show the table of saved values.
    void savedAsked();
    void nodeSelected(aotscope::NodeId node);

private:
    void readLog(const QString& selected, bool summarized = false);
    void readPage(std::size_t compile);
    void readRecord(quint64 line);
    void showSource(const QString& file, int line);
    void selectNode(const QString& name);

    const Selection* selection_;
    QWidget* window_;
    TracePanel* panel_;
    std::shared_ptr<const TraceLog> opened_;   ///< the session's
    std::shared_ptr<const TraceLog> log_;      ///< the same, or its current state
    std::vector<RankDifference> differences_;  ///< from the logs of other ranks beside it
    std::vector<std::string> ranks_;
    std::string model_;        ///< the session's
    QString rank_;             ///< in front of the ids of the log in the session: "1:"
    std::size_t compile_ = 0;  ///< whose page is shown
    bool grown_ = false;       ///< again, while it was being read
    BackgroundJob overview_, page_;
};

}  // namespace aotscope
