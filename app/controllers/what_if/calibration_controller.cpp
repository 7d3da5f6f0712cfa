#include "controllers/what_if/calibration_controller.h"

#include "controllers/make_action.h"
#include "models/words/to_qstring.h"
#include "support/names.h"

namespace aotscope {

namespace {

/// "measured 12 operations, 3 known before, 1 cannot run alone"
QString saidOf(const MeasuredOperators& found) {
    QStringList parts{QObject::tr("measured %1").arg(toQString(counted(found.measured, "operation")))};
    if (found.known > 0) parts << QObject::tr("%1 known before").arg(found.known);
    if (!found.left.empty()) parts << QObject::tr("%1 cannot run alone").arg(found.left.size());
    return parts.join(QStringLiteral(", "));
}

}  // namespace

CalibrationController::CalibrationController(const Surroundings& around, BackgroundJob* running)
    : Controller(around),
      action_(makeAction(this, QStringLiteral("actionCalibrate"), tr("Calibrate &Again"), {},
                         tr("Measures the speed of this machine again and renews all estimated times"),
                         [this] { calibrate(); })),
      measure_(makeAction(this, QStringLiteral("actionMeasureOperations"), tr("Measure &Operations"),
                          {tr("Ctrl+Alt+T")},
                          tr("Runs every operation alone that was not measured before: what it takes in time and "
                             "memory is known from then on, also in other models"),
                          [this] { measure(); })),
      running_(running) {
    action_->setEnabled(false);
    measure_->setEnabled(false);
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

void CalibrationController::measure() {
    const QString title = tr("Measuring operations");
    Q_EMIT aboutToStart(title);
    running_->start<MeasuredOperators>(
        title,
        [session = session_](const Progress& progress) {
            MeasuredOperators found = session->measureOperators(progress);
            session->learnCosts(progress);
            return found;
        },
        [this](const MeasuredOperators& found) {
            Q_EMIT measured();
            Q_EMIT said(saidOf(found));
        });
}

}  // namespace aotscope
