#pragma once

#include "ops/shapes/rules.h"

#include <c10/core/MemoryFormat.h>

#include <optional>

namespace aotscope {

/// Results as kernels allocate them. They have the dtype of `like` unless `dtype` is given.
using Results = std::vector<c10::IValue>;

at::Tensor contiguous(c10::IntArrayRef sizes, const at::Tensor& like, std::optional<at::ScalarType> dtype = {});
at::Tensor formatted(c10::IntArrayRef sizes, const at::Tensor& like, at::MemoryFormat format);

/// Keeps dense strides, and makes others dense in the same order.
at::Tensor preserved(const at::Tensor& like, std::optional<at::ScalarType> dtype = {});

/// Like `like`: channels-last if it is, otherwise contiguous.
at::Tensor suggested(const at::Tensor& like);

/// Column-major matrices, as LAPACK expects them.
at::Tensor columnMajor(c10::IntArrayRef sizes, const at::Tensor& like);

/// Sizes after a reduction over `dims` (all if empty).
std::vector<int64_t> reducedSizes(const at::Tensor& input, c10::IntArrayRef dims, bool keepDim);

/// The real dtype of a complex dtype; others unchanged.
at::ScalarType realType(at::ScalarType type);

/// Rules that many operators share: in place on the first argument; like the first argument, contiguous or with its
/// strides; like the second, contiguous; zero-dimensional; nothing.
Results inPlaceRule(const RuleCall& call);
Results contiguousRule(const RuleCall& call);
Results secondContiguousRule(const RuleCall& call);
Results preservedRule(const RuleCall& call);
Results scalarRule(const RuleCall& call);
Results nothingRule(const RuleCall& call);

/// An elementwise operation on the first two arguments, broadcast and promoted.
Results binaryRule(const RuleCall& call);

}  // namespace aotscope
