#pragma once

#include "controllers/controller.h"
#include "cost/machine_model.h"

#include <QAction>

namespace aotscope {

/// Measures the speed of the machine again, for estimated times.
class CalibrationController : public Controller {
    Q_OBJECT

public:
    explicit CalibrationController(const Surroundings& around);

    QAction* action() const { return action_; }
    /// The device to measure.
    void setSession(const std::shared_ptr<const Session>& session) override;
    bool busy() const override { return job_.running(); }

Q_SIGNALS:
    /// Make estimates again.
    void calibrated(const aotscope::MachineModel& machine);

private:
    void calibrate();

    QAction* action_;
    std::shared_ptr<const Session> session_;
    BackgroundJob job_;
};

}  // namespace aotscope
