#pragma once

#include "cost/calibration_file.h"

namespace aotscope {

/// The conditions of a calibration of `device` on this machine.
CalibratedMachine thisMachine(const std::string& device);

/// Measures how fast `device`, which must be present, does each kind of work. The only part of the cost model that runs
/// anything: 0.3 s on a quiet machine, a few seconds on a busy one.
MachineModel calibrate(const std::string& device);

}  // namespace aotscope
