#include "ops/shapes/rule_results.h"

#include <ATen/WrapDimUtils.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mul.h>

namespace aotscope {

at::Tensor contiguous(c10::IntArrayRef sizes, const at::Tensor& like, std::optional<at::ScalarType> dtype) {
    return at::empty(sizes, like.options().dtype(dtype.value_or(like.scalar_type())));
}

at::Tensor formatted(c10::IntArrayRef sizes, const at::Tensor& like, at::MemoryFormat format) {
    return at::empty(sizes, like.options().memory_format(format));
}

at::Tensor preserved(const at::Tensor& like, std::optional<at::ScalarType> dtype) {
    return at::empty_like(like, like.options().dtype(dtype.value_or(like.scalar_type())));
}

at::Tensor suggested(const at::Tensor& like) { return formatted(like.sizes(), like, like.suggest_memory_format()); }

at::Tensor columnMajor(c10::IntArrayRef sizes, const at::Tensor& like) {
    std::vector<int64_t> transposed = sizes.vec();
    std::swap(transposed.end()[-1], transposed.end()[-2]);
    return contiguous(transposed, like).transpose(-2, -1);
}

std::vector<int64_t> reducedSizes(const at::Tensor& input, c10::IntArrayRef dims, bool keepDim) {
    std::vector<bool> reduced(static_cast<std::size_t>(input.dim()), dims.empty());
    for (const int64_t dim : dims) {
        const auto d = static_cast<std::size_t>(c10::maybe_wrap_dim(dim, input.dim()));
        if (input.dim() == 0) continue;
        TORCH_CHECK(!reduced[d], "dim ", d, " appears multiple times in the list of dims");
        reduced[d] = true;
    }
    std::vector<int64_t> sizes;
    for (std::size_t d = 0; d < reduced.size(); ++d)
        if (!reduced[d]) sizes.push_back(input.sizes()[d]);
        else if (keepDim) sizes.push_back(1);
    return sizes;
}

at::ScalarType realType(at::ScalarType type) { return c10::isComplexType(type) ? c10::toRealValueType(type) : type; }

Results inPlaceRule(const RuleCall& call) { return {call.tensor(0)}; }
Results contiguousRule(const RuleCall& call) { return {contiguous(call.tensor(0).sizes(), call.tensor(0))}; }
Results secondContiguousRule(const RuleCall& call) { return {contiguous(call.tensor(1).sizes(), call.tensor(1))}; }
Results preservedRule(const RuleCall& call) { return {preserved(call.tensor(0))}; }
Results scalarRule(const RuleCall& call) { return {contiguous({}, call.tensor(0))}; }
Results nothingRule(const RuleCall&) { return {}; }

Results binaryRule(const RuleCall& call) {
    if (call.args[1].isScalar()) return {at::mul(call.tensor(0), call.args[1].toScalar())};
    return {at::mul(call.tensor(0), call.tensor(1))};
}

}  // namespace aotscope
