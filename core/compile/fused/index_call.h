#pragma once

#include "compile/fused/kernel.h"
#include "ir/graph.h"

#include <optional>
#include <vector>

namespace aotscope {

/// A dimension of a tensor whose elements a call selects by an index.
struct IndexedDimension {
    int dimension = 0;
    const Node* index = nullptr;
};

/// A call that reads or accumulates elements at indices. It iterates over a space: of the elements that it reads, or of
/// the values that it adds.
struct IndexCall {
    const Node* tensor = nullptr;  ///< read from, or added to
    const Node* values = nullptr;  ///< added; null: the call reads
    std::vector<IndexedDimension> indexed;
    std::vector<int> direct;   ///< for each dimension of the space, that of the tensor; -1: indices decide
    std::size_t trailing = 0;  ///< dimensions of the space behind those of the indices
    IndexRule rule = IndexRule::wraps;
    bool isWorthAlone = false;  ///< LibTorch's own kernel is slower
};

/// Nothing for other calls, and for indices that kernels do not support.
std::optional<IndexCall> indexCallOf(const Node& call);

}  // namespace aotscope
