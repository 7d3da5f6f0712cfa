#pragma once

#include "controllers/controller.h"
#include "cost/profile/joined_profile.h"
#include "io/overlay.h"
#include "panels/tables/table_panel.h"
#include "session/session.h"

#include <QAction>
#include <QSplitter>

namespace aotscope {

/// Lays a profile of torch.profiler on the graphs of the open session: what was joined beside what was not, and colours
/// by time.
class ProfileController : public Controller {
    Q_OBJECT

public:
    explicit ProfileController(const Surroundings& around);

    QSplitter* panel() const { return panel_; }
    /// Its table whose rows stand for nodes.
    TablePanel* rows() const { return joined_; }
    QAction* action() const { return action_; }
    bool busy() const override { return job_.running(); }
    void setSession(const std::shared_ptr<const Session>& session) override;
    void open(const QString& file);

Q_SIGNALS:
    /// Show the page.
    void shown();
    void overlayMade(std::shared_ptr<const aotscope::Overlay> overlay);

private:
    void ask();
    void show(const JoinedProfile& profile);

    QSplitter* panel_;
    TablePanel *joined_, *others_;
    QAction* action_;
    BackgroundJob job_;
    std::shared_ptr<const Session> session_;
};

}  // namespace aotscope
