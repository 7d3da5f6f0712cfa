#include "window/controllers.h"

#include <algorithm>

namespace aotscope {

Controllers::Controllers(Workbench& bench) : bench_(bench) {
    QObject::connect(calibration, &CalibrationController::calibrated, navigation->colours(),
                     &ColourController::renewEstimates);
    QObject::connect(profile, &ProfileController::overlayMade, navigation->colours(), &ColourController::showOverlay);
    QObject::connect(calibration, &CalibrationController::calibrated, modules, &ModuleController::renewEstimates);
}

bool Controllers::busy() const {
    return std::ranges::any_of(all_, [](const Controller* each) { return each->busy(); });
}

}  // namespace aotscope
