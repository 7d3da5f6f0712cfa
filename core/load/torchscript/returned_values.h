#pragma once

#include "program/pytree.h"

#include <torch/csrc/jit/ir/ir.h>

#include <unordered_set>
#include <vector>

namespace aotscope {

/// The values that a TorchScript graph returns, without containers built only for that.
struct ReturnedValues {
    std::vector<const torch::jit::Value*> leaves;
    Structure structure;
    std::unordered_set<const torch::jit::Node*> containers;  ///< the nodes that build them
};
ReturnedValues returnedValues(const torch::jit::Graph& graph);

}  // namespace aotscope
