#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// Everything that determines what an operation takes, as text: its operator, the dtypes, sizes and strides of its
/// operands, and its other arguments, "aten.add.Tensor(f32[4, 8], f32[8], alpha=2)". Sizes are those of the example.
/// Numbers that only scale values are left out. Empty for what has no cost of its own or none that repeats: inputs,
/// elements of tuples, operations that run subgraphs or communicate, and those with operands of unknown type.
std::string signatureOf(const Node& node);

/// The number that stands for a signature in a record; 0 for an empty one.
std::uint64_t signatureNumber(std::string_view signature);
/// The same without the text.
std::uint64_t signatureNumber(const Node& node);

/// The operator of a signature: "aten.add.Tensor".
std::string_view operatorOf(std::string_view signature);

/// How far apart two signatures of the same operator are: the sum over all numbers in them of how often one has to be
/// doubled to be the other. Those that differ in more than numbers (dtypes, ranks, options) are farther apart than any
/// that do not, by kOtherKindOfCall at least.
inline constexpr double kOtherKindOfCall = 1000;
double signatureDistance(std::string_view a, std::string_view b);

/// Signatures that are longer are not kept.
inline constexpr std::size_t kLongestSignature = 1000;

}  // namespace aotscope
