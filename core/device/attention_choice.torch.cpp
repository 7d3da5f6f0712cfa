#include "device/attention_choice.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

constexpr ComputeCapability kAmpere{8, 0}, kNewest{12, 1};

bool within(ComputeCapability gpu, ComputeCapability low, ComputeCapability high) { return low <= gpu && gpu <= high; }

std::int64_t headSize(const at::Tensor& tensor) { return tensor.size(-1); }
std::int64_t length(const at::Tensor& tensor) { return tensor.size(-2); }
std::int64_t heads(const at::Tensor& tensor) { return tensor.size(-3); }

bool trains(const AttentionCall& call) {
    return at::GradMode::is_enabled() &&
           (call.query.requires_grad() || call.key.requires_grad() || call.value.requires_grad());
}

bool isOfType(const AttentionCall& call, std::initializer_list<at::ScalarType> types) {
    const auto type = call.query.scalar_type();
    return type == call.key.scalar_type() && type == call.value.scalar_type() &&
           std::find(types.begin(), types.end(), type) != types.end();
}

bool isHalf(const AttentionCall& call, ComputeCapability gpu) {
    return gpu >= kAmpere ? isOfType(call, {at::kHalf, at::kBFloat16}) : isOfType(call, {at::kHalf});
}

/// `sameHeads`: whether key and value must have the same number of heads.
bool batchesFit(const AttentionCall& call, bool sameHeads) {
    const std::int64_t batch = call.query.size(0);
    if (call.key.size(0) != batch || call.value.size(0) != batch) return false;
    const std::int64_t q = heads(call.query), k = heads(call.key), v = heads(call.value);
    if (!call.groupedQuery) return q == k && q == v;
    if (sameHeads && k != v) return false;
    return k > 0 && v > 0 && q % k == 0 && q % v == 0;
}

bool rowsAreDense(const at::Tensor& tensor, bool ignoreSingle) {
    return tensor.stride(-1) == 1 || (ignoreSingle && tensor.size(-1) == 1);
}

/// The requirements of all fused kernels.
bool anyFused(const AttentionCall& call, bool sameHeads, bool ignoreSingle) {
    for (const at::Tensor* tensor : {&call.query, &call.key, &call.value})
        if (tensor->dim() != 4 || !rowsAreDense(*tensor, ignoreSingle)) return false;
    if (call.mask && !rowsAreDense(*call.mask, ignoreSingle)) return false;
    return length(call.query) != 0 && length(call.key) != 0 && batchesFit(call, sameHeads);
}

/// The backward of flash attention lacks shared memory on consumer cards of these generations.
bool flashCanTrain(const AttentionCall& call, ComputeCapability gpu) {
    const bool small = within(gpu, {8, 6}, {8, 9}) || within(gpu, {12, 0}, kNewest);
    if (!small || !trains(call)) return true;
    const std::int64_t size = headSize(call.query);
    return size <= 192 || (call.dropout <= 0 && size > 224);
}

bool flash(const AttentionCall& call, ComputeCapability gpu) {
    constexpr std::int64_t largestHead = 256;
    if (!within(gpu, kAmpere, kNewest) || call.mask || !isHalf(call, gpu)) return false;
    if (!anyFused(call, /*sameHeads=*/true, /*ignoreSingle=*/true)) return false;
    const std::int64_t size = headSize(call.query);
    if (size != headSize(call.key) || size != headSize(call.value) || size > largestHead) return false;
    if (call.causal && length(call.query) != length(call.key)) return false;
    return flashCanTrain(call, gpu);
}

/// The alignment of head sizes in elements, for the matrix products of the memory-efficient kernel.
std::int64_t alignment(const AttentionCall& call, ComputeCapability gpu) {
    const bool half = isOfType(call, {at::kHalf, at::kBFloat16});
    const bool tensorCores = gpu.major >= 8 || (gpu.major == 7 && half);
    const std::int64_t least = gpu.major >= 8 ? 4 : 1;
    return tensorCores ? std::max<std::int64_t>(least, half ? 8 : 4) : least;
}

bool memoryEfficient(const AttentionCall& call, ComputeCapability gpu) {
    const bool known = gpu >= kAmpere ? isOfType(call, {at::kHalf, at::kFloat, at::kBFloat16})
                                      : isOfType(call, {at::kHalf, at::kFloat});
    if (!within(gpu, {5, 0}, kNewest) || !known || !anyFused(call, /*sameHeads=*/true, /*ignoreSingle=*/false))
        return false;
    const std::int64_t size = headSize(call.query), valueSize = headSize(call.value), unit = alignment(call, gpu);
    return size == headSize(call.key) && size > 0 && valueSize > 0 && size % unit == 0 && valueSize % unit == 0;
}

bool maskFits(const AttentionCall& call) {
    if (!call.mask) return true;
    const at::Tensor& mask = *call.mask;
    const auto fits = [](std::int64_t size, std::int64_t target) { return size == target || size == 1; };
    if (mask.requires_grad() || (mask.dim() != 2 && mask.dim() != 4)) return false;
    if (!fits(mask.size(-2), length(call.query)) || !fits(mask.size(-1), length(call.key))) return false;
    return mask.dim() == 2 || (fits(mask.size(0), call.query.size(0)) && fits(mask.size(1), heads(call.query)));
}

bool cudnn(const AttentionCall& call, ComputeCapability gpu) {
    constexpr std::int64_t largestBatch = 65535;
    const std::int64_t largestHead = !kCudnnAttentionIsRestricted && gpu == ComputeCapability{9, 0} ? 256 : 128;
    if (!isHalf(call, gpu) || !anyFused(call, /*sameHeads=*/false, /*ignoreSingle=*/true) || !maskFits(call))
        return false;
    if (kCudnnAttentionIsRestricted && call.dropout * 16 != std::floor(call.dropout * 16)) return false;
    const std::int64_t size = headSize(call.query), valueSize = headSize(call.value);
    const bool latent = size == 192 && valueSize == 128;
    if (!latent && (size > largestHead || valueSize > largestHead)) return false;
    if (size % 8 != 0 || valueSize % 8 != 0) return false;
    if (call.query.size(0) > largestBatch || heads(call.query) > largestBatch) return false;
    return length(call.key) != 1 && (call.dropout == 0 || length(call.query) != 1);
}

}  // namespace

at::SDPBackend chooseAttention(const AttentionCall& call, ComputeCapability gpu) {
    const bool prefersCudnn = gpu.major == 9 || gpu.major == 10;
    if (prefersCudnn && cudnn(call, gpu)) return at::SDPBackend::cudnn_attention;
    if (flash(call, gpu)) return at::SDPBackend::flash_attention;
    if (memoryEfficient(call, gpu)) return at::SDPBackend::efficient_attention;
    return at::SDPBackend::math;
}

}  // namespace aotscope
