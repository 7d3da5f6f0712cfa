#include "checks.h"
#include "compile/captured_graph.h"
#include "compile/fused/cuda/nvrtc.h"
#include "device/cuda_driver.h"
#include "device/cuda_function.h"
#include "device/device.h"

#include <torch/headeronly/version.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace aotscope::test {

namespace {

/// The file of a library that this process has loaded; empty: none.
std::string loadedFile(const std::string& name) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (const auto file = line.find('/'); file != std::string::npos && line.find(name, file) != std::string::npos)
            return line.substr(file);
    return {};
}

}  // namespace

std::string whyNoLaunch() {
    if (!checkedDevice().is_cuda()) return "the kernels are a GPU's";
    if (const std::string why = whyDeviceCannotRun(checkedDevice().str()); !why.empty()) return why;
    return nvrtc().missing();
}

std::string describeMachine() {
    nlohmann::json j = {{"torch", TORCH_VERSION},
                        {"torch_folder", torchFolder().string()},
                        {"missing", whyDeviceCannotRun("cuda:0")},
                        {"gpus", cudaDriver().gpus},
                        {"launch_missing", whyNoLaunch()},
                        {"capture_missing", whyNoCapture(checkedDevice().type())},
                        {"nvrtc_missing", nvrtc().missing()},
                        {"nvrtc", loadedFile("libnvrtc.so")}};
    if (whyDeviceCannotRun("cuda:0").empty()) {
        const CudaDevice gpu(0);
        j["compute_capability"] = {gpu.major(), gpu.minor()};
    }
    return j.dump();
}

}  // namespace aotscope::test
