#pragma once

#include "cost/machine_model.h"

#include <filesystem>
#include <optional>
#include <string>

namespace aotscope {

/// What a calibration holds for.
struct CalibratedMachine {
    std::string cpu;     ///< model
    int cores = 0;       ///< that the process may use
    int threads = 0;     ///< that operations are divided among
    std::string torch;   ///< LibTorch's version
    std::string device;  ///< "cpu", "cuda:0 NVIDIA H200"
};

/// Where the calibration of `machine` is kept: in the user's cache folder, one file for each machine.
std::filesystem::path calibrationFile(const CalibratedMachine& machine);

/// The calibration in `file`. Nothing if there is none, or if it is damaged, written by another version, for another
/// machine, or disturbed; it is trusted no more than any file.
std::optional<MachineModel> readCalibration(const std::filesystem::path& file, const CalibratedMachine& machine);

/// Does nothing if the file cannot be written: it only saves time.
void writeCalibration(const std::filesystem::path& file, const CalibratedMachine& machine, const MachineModel& model);

}  // namespace aotscope
