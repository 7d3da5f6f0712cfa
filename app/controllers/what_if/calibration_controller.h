#pragma once

#include "controllers/background_job.h"
#include "cost/machine_model.h"
#include "session/session.h"

#include <QAction>

namespace aotscope {

/// Measures the machine again, from whose speed times are estimated.
class CalibrationController : public QObject {
    Q_OBJECT

public:
    explicit CalibrationController(QWidget* window);
    ~CalibrationController() override;

    QAction* action() const { return action_; }
    /// Whose device is measured.
    void setSession(std::shared_ptr<const Session> session);
    bool busy() const { return job_.running(); }

Q_SIGNALS:
    /// Estimates are to be made anew.
    void calibrated(const aotscope::MachineModel& machine);
    void said(const QString& sentence);
    void failed(std::exception_ptr error);
    void started(const QString& title);
    void stageEntered(const QString& stage);
    void finished();

private:
    void calibrate();

    QAction* action_;
    std::shared_ptr<const Session> session_;
    BackgroundJob job_;
};

}  // namespace aotscope
