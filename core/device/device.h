#pragma once

#include "device/device_choice.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aotscope {

/// The folder of the LibTorch in use.
std::filesystem::path torchFolder();

/// Makes a device usable, once per process. For CUDA it loads LibTorch's CUDA library; if that, the driver or a GPU is
/// missing, it registers a simulated GPU: models can be traced, partitioned and inspected for it, but not run. Must be
/// called before any use of CUDA. Throws Error if that is too late or the machine has no such device.
void prepareDevice(const std::string& device);

/// The GPU `steps` after `device`, wrapping around at the end. The CPU and a simulated GPU are their own successors.
/// Only queries the driver.
std::string gpuBehind(const std::string& device, std::size_t steps);

/// Why nothing can run on a prepared device, as one sentence; empty if it can.
std::string whyDeviceCannotRun(const std::string& device);

/// Devices available on this machine. Only queries the driver; loads nothing.
std::vector<DeviceChoice> deviceChoices();

}  // namespace aotscope
