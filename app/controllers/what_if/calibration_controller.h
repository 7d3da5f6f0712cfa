#pragma once

#include "controllers/background_job.h"
#include "controllers/controller.h"
#include "cost/machine_model.h"
#include "session/engine.h"

#include <QAction>

namespace aotscope {

/// Measures the speed of the machine again, for estimated times.
class CalibrationController : public Controller {
    Q_OBJECT

public:
    CalibrationController(std::shared_ptr<const Engine> engine, QWidget* window);

    QAction* action() const { return action_; }
    /// The device to measure.
    void setSession(const std::shared_ptr<const Session>& session) override;
    bool busy() const override { return job_.running(); }

Q_SIGNALS:
    /// Make estimates again.
    void calibrated(const aotscope::MachineModel& machine);

private:
    void calibrate();

    std::shared_ptr<const Engine> engine_;
    QAction* action_;
    std::shared_ptr<const Session> session_;
    BackgroundJob job_;
};

}  // namespace aotscope
