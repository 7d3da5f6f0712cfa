#pragma once

#include "controllers/controller.h"
#include "cost/machine_model.h"

#include <QAction>

namespace aotscope {

/// Measures what estimates are based on: the speed of the machine, and operations by themselves.
class CalibrationController : public Controller {
    Q_OBJECT

public:
    /// `running`: shared with everything else that runs the model, one at a time.
    CalibrationController(const Surroundings& around, BackgroundJob* running);

    QAction* action() const { return action_; }
    QAction* measureAction() const { return measure_; }
    /// The device to measure.
    void setSession(const std::shared_ptr<const Session>& session) override;
    bool busy() const override { return job_.running(); }

Q_SIGNALS:
    /// Make estimates again.
    void calibrated(const aotscope::MachineModel& machine);
    /// The record of the session knows more of its operations.
    void measured();

private:
    void calibrate();
    void measure();

    QAction *action_, *measure_;
    std::shared_ptr<const Session> session_;
    BackgroundJob job_;
    BackgroundJob* running_;
};

}  // namespace aotscope
