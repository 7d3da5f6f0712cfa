#pragma once

#include "ir/graph.h"

#include <string>

namespace aotscope {

enum class Detail : std::uint8_t {
    types,  ///< names, operations, arguments and types: readable, and used in reports
    full,   ///< also identity, storage, stage, provenance: everything that parseGraph restores
};

/// The text of a graph; parseGraph reads both forms. Grammar, one node per line:
///
///     graph NAME
///       %x : f32[3, 3] = placeholder
///       %y : f32[3, 3][1, 3]cuda:0 = aten.add.Tensor(%x, %x, alpha=2)
///       return [%y : output | %g : gradient]
///
/// A tensor's strides are written when it is not contiguous, its device when it is not the CPU. `full` adds `<storage,
/// offset, bytes, requires_grad>` to tensors and `; key=value ...` to nodes. A graph with dynamic shapes starts with
/// `graph NAME where s0 = 8 in 2..64 from "x.size(0)"`; sizes and strides are then expressions of the symbols, as in
/// `f32[s0, 2*s0]`, and an integer computed from them has the type `Sym(2*s0)`.
///
/// A subgraph is written `@NAME` in a call. Its text, `graph OWNER.NAME ...`, follows that of its owner.
std::string printGraph(const Graph& graph, Detail detail = Detail::types);

std::string printNode(const Node& node, Detail detail = Detail::types);
std::string printType(const ValueType& type, Detail detail = Detail::types);
std::string printTensorType(const TensorType& type, Detail detail = Detail::types);
/// "s0 = 8, s1 = 4"
std::string printSizes(const SymbolValues& sizes);
std::string printArgument(const Argument& argument);
/// The arguments of a call, without the parentheses.
std::string printArguments(const Node& node);
std::string printArguments(const std::vector<Argument>& positional, const KeywordArguments& keywords);

}  // namespace aotscope
