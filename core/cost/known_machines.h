#pragma once

#include "cost/machine_model.h"

namespace aotscope {

/// The model of `device` ("cpu", "cuda:0"): as calibrated earlier on this machine (calibration_file.h), otherwise
/// measured on the first call, in about 0.3 s; if that is disturbed, its rates are not used, but
/// those of a common machine. For a device that is not present, that of a simulated GPU. Thread-safe.
MachineModel machineModel(const std::string& device = "cpu");

/// The same, when it is needed.
inline MachineSource machineOf(std::string device) {
    return [device = std::move(device)] { return machineModel(device); };
}

/// Measures the machine again, for all further calls of machineModel in this process and for later ones. A disturbed
/// measurement does not replace one that was not, of this process or an earlier one. Thread-safe.
Recalibration calibrateAgain(const std::string& device = "cpu");

}  // namespace aotscope
