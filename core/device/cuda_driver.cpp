#include "device/cuda_driver.h"

#include "support/library_function.h"

#include <array>

namespace aotscope {

namespace {

CudaDriver askDriver() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return {{}, "the NVIDIA driver is not installed (libcuda.so.1 is not found)"};
    int (*init)(unsigned);
    int (*count)(int*);
    int (*name)(char*, int, int);
    int (*device)(int*, int);
    int (*uuid)(unsigned char*, int);
    if (!findFunction(library, "cuInit", init) || !findFunction(library, "cuDeviceGetCount", count) ||
        !findFunction(library, "cuDeviceGetName", name) || !findFunction(library, "cuDeviceGet", device) ||
        !findFunction(library, "cuDeviceGetUuid", uuid))
        return {{}, "libcuda.so.1 is not the NVIDIA driver"};
    int gpus = 0;
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
