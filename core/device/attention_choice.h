#pragma once

#include <ATen/SDPBackend.h>
#include <ATen/core/Tensor.h>
#include <torch/headeronly/version.h>

#include <optional>

namespace aotscope {

/// The arguments of scaled_dot_product_attention that decide which kernel computes it.
struct AttentionCall {
    at::Tensor query, key, value;
    std::optional<at::Tensor> mask;
    double dropout = 0;
    bool causal = false;
    bool groupedQuery = false;  ///< several heads of the query may share one of key and value
};

/// A GPU's compute capability, 9.0 for an H100.
struct ComputeCapability {
    int major = 9, minor = 0;
    bool operator==(const ComputeCapability&) const = default;
    auto operator<=>(const ComputeCapability&) const = default;  // NOLINT(modernize-use-nullptr): as for CudaForm
};

/// Up to 2.12, cuDNN computes attention on an H100 with any dropout and head sizes up to 256 (observed with 2.11);
/// later versions use flash attention more often.
inline constexpr bool kCudnnAttentionIsRestricted = TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 13;

/// The kernel that PyTorch's CUDA build (of this version, cuDNN 9.16 or later) uses: cuDNN's on Hopper and Blackwell,
/// then flash attention, then the memory-efficient one, each if it supports the call; otherwise plain operations.
at::SDPBackend chooseAttention(const AttentionCall& call, ComputeCapability gpu);

}  // namespace aotscope
