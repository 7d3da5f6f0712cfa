#include "device/cuda_driver.h"

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
    int gpus = 0;
    if (!init || !count || !name) return {{}, "libcuda.so.1 is not the NVIDIA driver"};
    if (const int failure = init(0); failure != 0)
        return {{}, "the NVIDIA driver does not start (error " + std::to_string(failure) + ")"};
    if (count(&gpus) != 0 || gpus == 0) return {{}, "the NVIDIA driver finds no GPU"};
    CudaDriver driver;
    for (int i = 0; i < gpus; ++i) {
        char text[128] = "";
        driver.gpus.emplace_back(name(text, sizeof text, i) == 0 ? text : "a GPU");
    }
    return driver;
}

}  // namespace

const CudaDriver& cudaDriver() {
    static const CudaDriver driver = askDriver();
    return driver;
}

}  // namespace aotscope
