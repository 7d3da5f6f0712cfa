#pragma once

#include "compile/fused/lowering.h"

#include <optional>
#include <vector>

namespace aotscope {

/// A tensor that an operation reads, seen through views that only repeat it or change dimensions of size one.
struct SeenTensor {
    const Node* argument = nullptr;  ///< what the operation is given
    const Node* node = nullptr;      ///< what that is a view of
    std::vector<int> dimensions;     ///< for each dimension that the operation sees that of `node`; -1: it has none
};
SeenTensor seeThrough(const Node& tensor);

/// The number that all elements of a tensor are, if that is known: what full, zeros_like and the like make.
std::optional<Argument> fillOf(const Node& node);

/// What a kernel can compute: a call, or one of the results of a call.
struct FusibleOperation {
    const Node* value = nullptr;
    const Node* call = nullptr;
    std::vector<SeenTensor> tensors;  ///< that it reads, those of known numbers excluded
    std::vector<const Node*> numbers;
    std::vector<SymExpr> space;  ///< over which it iterates; operands are aligned to it at the right
    std::vector<int> reduced;    ///< of these dimensions, without those of size one
    std::vector<int> place;      ///< for each dimension of the result that of the space; -1: of size one
    bool isReduction = false;    ///< the result is there for kept positions only
    std::size_t instructions = 0;
};
std::optional<FusibleOperation> fusibleOperation(const Node& value);

}  // namespace aotscope
