#include "controllers/what_if/calibration_controller.h"

#include "controllers/make_action.h"
#include "models/words/to_qstring.h"

namespace aotscope {

CalibrationController::CalibrationController(const Surroundings& around)
    : Controller(around),
      action_(makeAction(this, QStringLiteral("actionCalibrate"), tr("Calibrate &Again"), {},
                         tr("Measures the speed of this machine again and renews all estimated times"),
                         [this] { calibrate(); })) {
    action_->setEnabled(false);
    forward(&job_);
}

void CalibrationController::setSession(const std::shared_ptr<const Session>& session) {
    job_.cancel();
    session_ = session;
    action_->setEnabled(session_ != nullptr);
}

void CalibrationController::calibrate() {
    job_.start<Recalibration>(
        tr("Calibrating"),
        [engine = engine_, device = session_->options().device](const Progress&) { return engine->calibrate(device); },
        [this](const Recalibration& found) {
            Q_EMIT calibrated(found.machine);
            if (!found.note.empty()) Q_EMIT said(toQString(found.note));
        });
}

}  // namespace aotscope
