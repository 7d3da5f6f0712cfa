#pragma once

#include <ATen/core/Tensor.h>

namespace aotscope {

/// Restores a tensor's version counter, by which autograd detects writes, when it is destroyed.
class VersionKept {
public:
    explicit VersionKept(const at::Tensor& tensor)
        : counter_(tensor.unsafeGetTensorImpl()->version_counter()), version_(tensor._version()) {}
    ~VersionKept() { counter_.set_version(version_); }
    VersionKept(const VersionKept&) = delete;
    VersionKept& operator=(const VersionKept&) = delete;

private:
    c10::VariableVersion counter_;  ///< shared with the tensor
    std::int64_t version_;
};

}  // namespace aotscope
