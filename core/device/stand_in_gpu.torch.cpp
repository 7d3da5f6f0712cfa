#include "device/stand_in_gpu.h"

#include "device/attention_choice.h"
#include "device/stand_in_properties.h"

#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/native/transformers/attention.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

namespace aotscope {

namespace {

/// Devices, streams and events of a GPU that never does anything.
class StandInGuard final : public c10::impl::DeviceGuardImplInterface {
public:
    c10::DeviceType type() const override { return at::kCUDA; }
    c10::Device exchangeDevice(c10::Device) const override { return device(); }
    c10::Device getDevice() const override { return device(); }
    void setDevice(c10::Device) const override {}
    void uncheckedSetDevice(c10::Device) const noexcept override {}
    c10::DeviceIndex deviceCount() const noexcept override { return 1; }

    c10::Stream getStream(c10::Device) const override { return stream(); }
    c10::Stream getDefaultStream(c10::Device) const override { return stream(); }
    c10::Stream getStreamFromGlobalPool(c10::Device, bool) const override { return stream(); }
    c10::Stream getNewStream(c10::Device, int) const override { return stream(); }
    c10::Stream exchangeStream(c10::Stream) const override { return stream(); }
    bool queryStream(const c10::Stream&) const override { return true; }
    void synchronizeStream(const c10::Stream&) const override {}
    void synchronizeDevice(c10::DeviceIndex) const override {}

    void record(void**, const c10::Stream&, c10::DeviceIndex, c10::EventFlag) const override {}
    void block(void*, const c10::Stream&) const override {}
    bool queryEvent(void*) const override { return true; }
    void synchronizeEvent(void*) const override {}

private:
    static c10::Device device() { return {at::kCUDA, 0}; }
    static c10::Stream stream() { return c10::Stream(c10::Stream::DEFAULT, device()); }
};

std::int64_t chooseAttentionKernel(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                   const std::optional<at::Tensor>& mask, double dropout, bool causal,
                                   std::optional<double>, bool groupedQuery) {
    return static_cast<std::int64_t>(
        chooseAttention({query, key, value, mask, dropout, causal, groupedQuery}, {kStandInMajor, kStandInMinor}));
}

/// One device, never initialized.
class StandInHooks final : public at::CUDAHooksInterface {
public:
    void init() const override {}
    bool isBuilt() const override { return true; }
    bool isAvailable() const override { return true; }
    bool hasCUDA() const override { return true; }
    bool hasPrimaryContext(c10::DeviceIndex) const override { return false; }
    int getNumGPUs() const override { return 1; }
    c10::DeviceIndex deviceCount() const override { return 1; }
    c10::DeviceIndex current_device() const override { return 0; }
    c10::DeviceIndex getCurrentDevice() const override { return 0; }
    void deviceSynchronize(c10::DeviceIndex) const override {}
};

}  // namespace

void registerStandInGpu() {
    static const StandInGuard guard;
    c10::impl::registerDeviceGuard(at::kCUDA, &guard);
    // The name that LibTorch looks for.
    at::CUDAHooksRegistry()->Register("CUDAHooks", [](at::CUDAHooksArgs) -> std::unique_ptr<at::CUDAHooksInterface> {
        return std::make_unique<StandInHooks>();
    });
    at::native::_fused_sdp_choice_stub.set_cuda_dispatch_ptr(chooseAttentionKernel);
}

}  // namespace aotscope
