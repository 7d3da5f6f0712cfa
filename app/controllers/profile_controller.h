#pragma once

#include "controllers/controller.h"
#include "cost/profile/joined_profile.h"
#include "io/overlay.h"
#include "panels/tables/table_pair.h"
#include "session/session.h"

#include <QAction>

namespace aotscope {

/// Lays a profile of torch.profiler on the graphs of the open session: what was joined beside what was not, and colours
/// by time.
class ProfileController : public Controller {
    Q_OBJECT

public:
    explicit ProfileController(const Surroundings& around);

    TablePair* panel() const { return panel_; }
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

    TablePair* panel_;
    QAction* action_;
    BackgroundJob job_;
    std::shared_ptr<const Session> session_;
};

}  // namespace aotscope
