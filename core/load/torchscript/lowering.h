#pragma once

#include "program/program.h"

#include <unordered_map>

namespace torch::jit {
struct Graph;
struct Module;
struct Node;
}  // namespace torch::jit

namespace aotscope {

/// A TorchScript method as one flat graph: calls inlined, parameters and buffers as leading inputs in the order of
/// `state`, all other attributes constants, branches on constants resolved.
struct LoweredMethod {
    std::shared_ptr<torch::jit::Graph> graph;  ///< inputs: state tensors, then the method's own
    std::vector<StateTensor> state;
    std::vector<std::shared_ptr<const SourceInfo>> locations;
    std::unordered_map<const torch::jit::Node*, std::size_t> locationOf;  ///< node of `graph` -> index into locations
};

/// Throws Error, naming the module and attribute, for anything a pure function cannot do: assigning attributes,
/// indexing module lists dynamically, attributes that are objects.
LoweredMethod lowerMethod(const torch::jit::Module& module, const std::string& method);

}  // namespace aotscope
