#pragma once

#include "compile/fused/lowering.h"

#include <optional>
#include <vector>

namespace aotscope {

/// A tensor that an operation reads, seen through views that only repeat it or change dimensions of size one.
struct SeenTensor {
    const Node* argument = nullptr;  ///< the operation's argument
    const Node* node = nullptr;      ///< the node that it is a view of
    std::vector<int> dimensions;     ///< for each dimension that the operation sees, that of `node`; -1: none
    std::vector<int> indexed = {};   ///< dimensions of `node` whose elements are selected by indices
};
SeenTensor seeThrough(const Node& tensor);

/// The number that fills a tensor, if known: from full, zeros_like and the like.
std::optional<Argument> fillOf(const Node& node);

/// Something that a kernel can compute: a call, or one of its results.
struct FusibleOperation {
    const Node* value = nullptr;
    const Node* call = nullptr;
    std::vector<SeenTensor> tensors;  ///< tensors that it reads, without those filled with a known number
    std::vector<SeenTensor>
        positions;  ///< operands that follow from the position alone, where it reads tensors as well
    std::vector<const Node*> numbers;
    std::vector<SymExpr> space;  ///< that it iterates over; operands are aligned on the right
    std::vector<int> reduced;    ///< of these dimensions, without those of size one
    std::vector<int> place;      ///< for each dimension of the result, that of the space; -1: of size one
    bool isReduction = false;    ///< the result exists only for kept positions
    std::size_t instructions = 0;
    bool isWorthAlone = false;  ///< one such call is worth a kernel
    /// If any: the result is the sum of these calls, which add values to `target`, or to zeros where it has no node.
    std::vector<const Node*> puts;
    SeenTensor target;
    std::vector<const Node*> absorbed;  ///< calls that nobody else reads, and that it replaces
};
/// With `sums`, a sum of calls that accumulate is one operation: it reads later what they read.
std::optional<FusibleOperation> fusibleOperation(const Node& value, bool sums);

}  // namespace aotscope
