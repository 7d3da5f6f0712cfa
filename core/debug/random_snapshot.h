#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace aotscope {

/// The states of the generators that kernels on some devices draw from by default.
class RandomSnapshot {
public:
    /// As they are now: of the CPU, and of `device` if it is another one.
    explicit RandomSnapshot(c10::Device device);

    void take();
    void restore() const;

private:
    std::vector<c10::Device> devices_;
    std::vector<at::Tensor> states_;
};

}  // namespace aotscope
