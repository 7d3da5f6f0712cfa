#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aotscope {

/// A GPU as the driver's C interface knows it, for kernels of our own. They run in LibTorch's context.
class CudaDevice {
public:
    /// Throws Error if the driver does not give access to it.
    explicit CudaDevice(int index);

    int major() const { return major_; }
    int minor() const { return minor_; }
    void* context() const { return context_; }

private:
    int major_ = 0, minor_ = 0;  ///< compute capability
    void* context_ = nullptr;
};

/// A kernel that was loaded onto a GPU. It stays there, for captured graphs may go on calling it.
class CudaFunction {
public:
    /// `code`: what NVRTC makes of a text with the function `name`. Throws Error if the driver does not take it.
    CudaFunction(const CudaDevice& device, const std::string& code, const char* name);

    /// Puts a call onto the stream and returns at once; may be part of a capture. `values` holds the parameters' bytes.
    void launch(unsigned blocks, unsigned threadsX, unsigned threadsY, void* stream,
                std::vector<std::uint64_t>& values) const;

private:
    void* context_;
    void* function_ = nullptr;
};

}  // namespace aotscope
