#include "compile/fused/cuda/launch.h"
#include "compile/fused/cuda/nvrtc.h"
#include "compile/fused/fused_kernel.h"
#include "device/cuda_function.h"
#include "device/device.h"
#include "support/error.h"

#include <c10/core/impl/VirtualGuardImpl.h>

#include <map>
#include <mutex>

namespace aotscope {

namespace {

class CudaKernel final : public FusedKernel {
public:
    explicit CudaKernel(Kernel kernel) : kernel_(std::move(kernel)) {}

    void run(c10::ArrayRef<at::Tensor> inputs, c10::ArrayRef<c10::Scalar> numbers,
             c10::ArrayRef<at::Tensor> outputs) const override {
        const c10::Device device = outputs.front().device();
        if (const std::string why = whyDeviceCannotRun(device.str()); !why.empty()) throw Error(why);
        CudaLaunch launch(kernel_, inputs, numbers, outputs);
        if (launch.blocks == 0) return;
        const CudaFunction& function = translation(device, launch.form);
        const c10::impl::VirtualGuardImpl guard(device.type());
        function.launch(launch.blocks, launch.threadsX, launch.threadsY, guard.getStream(device).native_handle(),
                        launch.values);
    }

private:
    const CudaFunction& translation(c10::Device device, const CudaForm& form) const {
        const std::lock_guard lock(mutex_);
        const auto key = std::pair(device.index(), form);
        const auto found = translations_.find(key);
        return found != translations_.end() ? found->second
                                            : translations_.emplace(key, translate(device, form)).first->second;
    }
    CudaFunction translate(c10::Device device, const CudaForm& form) const {
        const CudaDevice gpu(device.index());
        return {gpu, nvrtc().compile(cudaText(kernel_, form), gpu.major(), gpu.minor()), kCudaName};
    }

    const Kernel kernel_;
    mutable std::mutex mutex_;
    mutable std::map<std::pair<c10::DeviceIndex, CudaForm>, CudaFunction> translations_;
};

}  // namespace

std::unique_ptr<FusedKernel> makeCudaKernel(Kernel kernel) {
    if (const std::string& missing = nvrtc().missing(); !missing.empty())
        throw Error("cannot compile kernels for the GPU: " + missing +
                    "; install the package nvidia-cuda-nvrtc that matches this PyTorch, or choose another compiler");
    return std::make_unique<CudaKernel>(std::move(kernel));
}

}  // namespace aotscope
