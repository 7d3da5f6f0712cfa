#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace aotscope {

/// "cpu", "cuda:0": `name` as PyTorch writes it, with an index. Throws UsageError for what names no device.
std::string deviceFromName(const std::string& name);

/// Where the LibTorch lies that this process runs with.
std::filesystem::path torchFolder();

/// Makes a device usable, once for the process. For CUDA it loads LibTorch's CUDA library; where that, the driver or a
/// GPU is missing, it registers a stand-in: models can be traced, partitioned and inspected for it, but not run. CUDA
/// has to be prepared before anything else is. Throws Error when that is too late, or the machine has no such device.
void prepareDevice(const std::string& device);

/// Why nothing can run on a device that is prepared: one sentence; empty if it can.
std::string whyDeviceCannotRun(const std::string& device);

/// Devices available on this machine.
struct DeviceChoice {
    std::string name, help;
};
/// Asks the driver only; loads nothing.
std::vector<DeviceChoice> deviceChoices();

}  // namespace aotscope
