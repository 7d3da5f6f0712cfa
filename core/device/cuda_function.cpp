#include "device/cuda_function.h"

#include "device/cuda_driver.h"
#include "support/error.h"
#include "support/library_function.h"

#include <dlfcn.h>

namespace aotscope {

namespace {

/// The functions of the driver's C interface that are used here.
struct DriverFunctions {
    int (*deviceGet)(int*, int);
    int (*deviceGetAttribute)(int*, int attribute, int device);
    int (*primaryContextRetain)(void**, int device);
    int (*contextPush)(void*);
    int (*contextPop)(void**);
    int (*moduleLoadData)(void**, const void*);
    int (*moduleGetFunction)(void**, void* module, const char*);
    int (*launchKernel)(void*, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned sharedBytes, void* stream, void** parameters, void** extra);
    int (*getErrorString)(int, const char**);
};

template <typename Function>
void find(void* library, const char* name, Function& function) {
    if (!findFunction(library, name, function))
        throw Error("the NVIDIA driver lacks the function " + std::string(name) + "; install a newer driver");
}

DriverFunctions loadDriver() {
    if (const std::string& missing = cudaDriver().missing; !missing.empty())
        throw Error("no kernel can run on a GPU: " + missing + "; choose --device cpu");
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    check(library != nullptr, "the driver's library was loaded before");
    DriverFunctions driver{};
    find(library, "cuDeviceGet", driver.deviceGet);
    find(library, "cuDeviceGetAttribute", driver.deviceGetAttribute);
    find(library, "cuDevicePrimaryCtxRetain", driver.primaryContextRetain);
    find(library, "cuCtxPushCurrent_v2", driver.contextPush);
    find(library, "cuCtxPopCurrent_v2", driver.contextPop);
    find(library, "cuModuleLoadData", driver.moduleLoadData);
    find(library, "cuModuleGetFunction", driver.moduleGetFunction);
    find(library, "cuLaunchKernel", driver.launchKernel);
    find(library, "cuGetErrorString", driver.getErrorString);
    return driver;
}

const DriverFunctions& driver() {
    static const DriverFunctions functions = loadDriver();
    return functions;
}

/// Throws Error unless `result` is success; `what` names the failed operation.
void expectSuccess(int result, const std::string& what) {
    if (result == 0) return;
    const char* reason = nullptr;
    driver().getErrorString(result, &reason);
    throw Error("the NVIDIA driver cannot " + what + ": " + (reason ? reason : "error " + std::to_string(result)) +
                "; choose another compiler");
}

/// Makes a context current on the thread for the object's lifetime.
class CurrentContext {
public:
    explicit CurrentContext(void* context) { expectSuccess(driver().contextPush(context), "use the GPU's context"); }
    ~CurrentContext() {
        void* context = nullptr;
        driver().contextPop(&context);
    }
    CurrentContext(const CurrentContext&) = delete;
    CurrentContext& operator=(const CurrentContext&) = delete;
};

}  // namespace

CudaDevice::CudaDevice(int index) {
    constexpr int kMajor = 75, kMinor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_...
    const std::string name = "GPU " + std::to_string(index);
    int device = 0;
    expectSuccess(driver().deviceGet(&device, index), "open " + name);
    expectSuccess(driver().deviceGetAttribute(&major_, kMajor, device), "describe " + name);
    expectSuccess(driver().deviceGetAttribute(&minor_, kMinor, device), "describe " + name);
    expectSuccess(driver().primaryContextRetain(&context_, device), "open " + name);  // the context that LibTorch uses
}

CudaFunction::CudaFunction(const CudaDevice& device, const std::string& code, const char* name)
    : context_(device.context()) {
    const CurrentContext current(context_);
    void* module = nullptr;
    expectSuccess(driver().moduleLoadData(&module, code.c_str()), "load a kernel");
    expectSuccess(driver().moduleGetFunction(&function_, module, name), "find a kernel's function");
}

void CudaFunction::launch(unsigned blocks, unsigned threadsX, unsigned threadsY, void* stream,
                          std::vector<std::uint64_t>& values) const {
    std::vector<void*> parameters;
    for (std::uint64_t& value : values) parameters.push_back(&value);
    const CurrentContext current(context_);
    expectSuccess(
        driver().launchKernel(function_, blocks, 1, 1, threadsX, threadsY, 1, 0, stream, parameters.data(), nullptr),
        "start a kernel");
}

}  // namespace aotscope
