#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aotscope {

/// A GPU accessed by the driver API, for our own kernels. They run in LibTorch's context.
class CudaDevice {
public:
    /// Throws Error if the driver denies access.
    explicit CudaDevice(int index);

    int major() const { return major_; }
    int minor() const { return minor_; }
    void* context() const { return context_; }

private:
    int major_ = 0, minor_ = 0;  ///< compute capability
    void* context_ = nullptr;
};

/// A kernel loaded onto a GPU. It is never unloaded, since captured graphs may still call it.
class CudaFunction {
public:
    /// `code`: NVRTC's output for a source with the function `name`. Throws Error if the driver rejects it.
    CudaFunction(const CudaDevice& device, const std::string& code, const char* name);

    /// Launches on the stream and returns at once; can be captured. `values` holds the parameters' bytes.
    void launch(unsigned blocks, unsigned threadsX, unsigned threadsY, void* stream,
                std::vector<std::uint64_t>& values) const;

private:
    void* context_;
    void* function_ = nullptr;
};

}  // namespace aotscope
