#pragma once

#include "cost/machine_model.h"

#include <filesystem>
#include <optional>
#include <string>

namespace aotscope {

/// The conditions that a calibration is valid for.
struct CalibratedMachine {
    std::string cpu;     ///< model
    int cores = 0;       ///< available to the process
    int threads = 0;     ///< used within operations
    std::string torch;   ///< LibTorch version
    std::string device;  ///< "cpu", "cuda:0 NVIDIA H200"
};

/// Where calibrations are kept, in the user's cache folder.
std::filesystem::path calibrationFolder();
/// That of `machine`: one file for each machine.
std::filesystem::path calibrationFile(const CalibratedMachine& machine);

/// The calibration in `file`. Nothing if the file is missing, damaged, disturbed, or for another version or machine.
/// The file is not trusted.
std::optional<MachineModel> readCalibration(const std::filesystem::path& file, const CalibratedMachine& machine);

/// Does nothing if the file cannot be written: it only saves time.
void writeCalibration(const std::filesystem::path& file, const CalibratedMachine& machine, const MachineModel& model);

}  // namespace aotscope
