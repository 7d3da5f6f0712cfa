#pragma once

#include "controllers/controller.h"
#include "panels/train_panel.h"
#include "session/session.h"

#include <QAction>
#include <QTimer>

namespace aotscope {

/// Trains the open model, eagerly and compiled, and shows the curves meanwhile.
class TrainController : public Controller {
    Q_OBJECT

public:
    /// `job`: shared with everything else that runs the model, one at a time.
    TrainController(const Surroundings& around, BackgroundJob* job);

    TrainPanel* panel() const { return panel_; }
    QAction* action() const { return action_; }
    /// All steps of the last training, also if it was stopped.
    const TrainResult& result() const { return result_; }

    void setSession(const std::shared_ptr<const Session>& session) override;
    /// An earlier training of the session.
    void show(const TrainResult& result);

public Q_SLOTS:
    void start();
    /// The curves as .svg, .csv or .json, by the file's extension.
    void exportTo(const QString& file);

Q_SIGNALS:
    void trained(const aotscope::TrainResult& result);
    /// Show the panel.
    void shown();

private:
    class Feed;
    void takeSteps();
    void end(const QString& note);

    BackgroundJob* job_;
    TrainPanel* panel_;
    QAction* action_;
    std::shared_ptr<const Session> session_;
    std::shared_ptr<Feed> feed_;  ///< of the current training; null: none
    QTimer timer_;
    TrainResult result_;
};

}  // namespace aotscope
