#pragma once

#include "cost/calibration.h"

#include <QString>

namespace aotscope::test {

/// Estimates of this process, and of later child processes, are those for a machine of this speed, however busy this
/// one is. `folder` replaces the user's cache folder, and must outlive them.
inline void giveMachine(const QString& folder, const MachineModel& model) {
    qputenv("XDG_CACHE_HOME", folder.toUtf8());
    const CalibratedMachine machine = thisMachine("cpu");
    writeCalibration(calibrationFile(machine), machine, model);
}

}  // namespace aotscope::test
