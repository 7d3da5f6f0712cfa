#include "device/device.h"

#include "device/cuda_driver.h"
#include "device/stand_in_gpu.h"
#include "device/stand_in_properties.h"
#include "support/error.h"
#include "support/names.h"

#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <atomic>
#include <filesystem>

#include <dlfcn.h>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

/// Why CUDA cannot be used; empty if it can.
std::string whyNoCuda() {
    const fs::path library = torchFolder() / "libtorch_cuda.so";
    std::error_code failure;
    if (!fs::exists(library, failure))
        return "LibTorch in '" + torchFolder().string() + "' is built without CUDA (it has no libtorch_cuda.so)";
    return cudaDriver().missing;
}

struct PreparedCuda {
    std::string missing;  ///< why a simulated GPU replaces it; empty: it is real
    std::string failure;  ///< why not even a simulated one is available
};

/// Whether anything was prepared to run without CUDA: by then, autograd has created its threads, one for each device.
std::atomic<bool>& startedWithout() {
    static std::atomic<bool> started = false;
    return started;
}

PreparedCuda prepareCuda() {
    PreparedCuda cuda{whyNoCuda(), {}};
    if (startedWithout()) {
        cuda.failure = "CUDA must be there before the first model runs; start again with --device cuda";
        return cuda;
    }
    if (!cuda.missing.empty()) {
        registerStandInGpu();
        return cuda;
    }
    // Kernels, hooks and device guards register themselves. The second library needs the first, and would search for it
    // in LD_LIBRARY_PATH, which may have another LibTorch.
    for (const char* name : {"libc10_cuda.so", "libtorch_cuda.so"}) {
        if (dlopen((torchFolder() / name).c_str(), RTLD_NOW | RTLD_GLOBAL)) continue;
        cuda.failure = "cannot load LibTorch's CUDA library: " + std::string(dlerror()) +
                       "; install the CUDA libraries that this PyTorch was built for";
        break;
    }
    return cuda;
}

/// The CUDA of this process, decided at the first call.
const PreparedCuda& preparedCuda() {
    static const PreparedCuda cuda = prepareCuda();
    return cuda;
}

/// LibTorch counts devices only once: after CUDA is prepared, runs on the CPU no longer prevent it.
bool cudaIsPrepared() { return c10::impl::hasDeviceGuardImpl(at::kCUDA); }

bool isCuda(const std::string& device) { return device.starts_with("cuda"); }

}  // namespace

std::filesystem::path torchFolder() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(&at::globalContext), &info) == 0 || !info.dli_fname) return {};
    std::error_code failure;
    return std::filesystem::absolute(info.dli_fname, failure).parent_path();
}

void prepareDevice(const std::string& device) {
    if (!isCuda(device)) {
        if (!cudaIsPrepared()) startedWithout() = true;
        return;
    }
    const auto& [missing, failure] = preparedCuda();
    if (!failure.empty()) throw Error(failure);
    const auto count = missing.empty() ? static_cast<std::size_t>(at::detail::getCUDAHooks().getNumGPUs()) : 1;
    const auto colon = device.find(':');
    if (colon != std::string::npos && std::stoul(device.substr(colon + 1)) >= count)
        throw Error("there is no device '" + device + "': " +
                    (missing.empty() ? "this machine has " + counted(count, "GPU")
                                     : "with no GPU present, only cuda:0 is simulated") +
                    "; choose a smaller index");
}

std::string gpuBehind(const std::string& device, std::size_t steps) {
    const std::size_t count = whyNoCuda().empty() ? cudaDriver().gpus.size() : 0;
    const auto colon = device.find(':');
    if (!isCuda(device) || colon == std::string::npos || count == 0) return device;
    const std::size_t index = std::stoul(device.substr(colon + 1));
    return index < count ? "cuda:" + std::to_string((index + steps) % count) : device;
}

std::string whyDeviceCannotRun(const std::string& device) {
    if (!isCuda(device) || preparedCuda().missing.empty()) return {};
    return "nothing can run on " + device + " here: " + preparedCuda().missing +
           "; the graphs are traced for a simulated " + kStandInGpu + ", choose --device cpu to run the model";
}

std::vector<DeviceChoice> deviceChoices() {
    std::vector<DeviceChoice> choices = {{"cpu", "CPU"}};
    const std::string why = whyNoCuda();
    if (!why.empty())
        choices.push_back({"cuda:0", std::string("a simulated ") + kStandInGpu +
                                         ": graphs and partitions as on a GPU, nothing can run (" + why + ")"});
    else
        for (const std::string& gpu : cudaDriver().gpus)
            choices.push_back({"cuda:" + std::to_string(choices.size() - 1), gpu});
    return choices;
}

}  // namespace aotscope
