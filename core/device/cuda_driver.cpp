#include "device/cuda_driver.h"

#include <array>

#include <dlfcn.h>

namespace aotscope {

namespace {

/// A function of the driver's C interface; null if this version lacks it.
template <typename Function>
Function find(void* library, const char* name) {
    return reinterpret_cast<Function>(dlsym(library, name));
}

CudaDriver askDriver() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return {{}, "the NVIDIA driver is not installed (libcuda.so.1 is not found)"};
    const auto init = find<int (*)(unsigned)>(library, "cuInit");
    const auto count = find<int (*)(int*)>(library, "cuDeviceGetCount");
    const auto name = find<int (*)(char*, int, int)>(library, "cuDeviceGetName");
    const auto device = find<int (*)(int*, int)>(library, "cuDeviceGet");
    const auto uuid = find<int (*)(unsigned char*, int)>(library, "cuDeviceGetUuid");
    int gpus = 0;
    if (!init || !count || !name || !device || !uuid) return {{}, "libcuda.so.1 is not the NVIDIA driver"};
    if (const int failure = init(0); failure != 0)
        return {{}, "the NVIDIA driver does not start (error " + std::to_string(failure) + ")"};
    if (count(&gpus) != 0 || gpus == 0) return {{}, "the NVIDIA driver finds no GPU"};
    CudaDriver driver;
    for (int i = 0; i < gpus; ++i) {
        char text[128] = "";
        driver.gpus.emplace_back(name(text, sizeof text, i) == 0 ? text : "a GPU");
        std::array<unsigned char, 16> id{};
        int handle = 0;
        std::string digits;
        if (device(&handle, i) == 0 && uuid(id.data(), handle) == 0)
            for (const unsigned char byte : id) digits += std::to_string(byte) + ".";
        driver.ids.push_back(std::move(digits));
    }
    return driver;
}

}  // namespace

const CudaDriver& cudaDriver() {
    static const CudaDriver driver = askDriver();
    return driver;
}

}  // namespace aotscope
