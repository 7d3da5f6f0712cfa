#pragma once

#include "load/printed/parser.h"

#include <unordered_set>

namespace aotscope {

/// Nodes that depend on a tangent.
std::unordered_set<const Node*> dependOnTangents(const Graph& graph);

/// Sets the roles of all placeholders from their names, their notes and the signature of an exported program.
void setPlaceholderRoles(PrintedModule& module, bool backward);

/// Slots of the outputs of a graph without tangents: from the signature of an exported program, otherwise the program's
/// outputs.
std::vector<OutputSlot> plainSlots(const PrintedModule& module);

/// Adds the slots of the gradients after a joint graph's other outputs: one for each primal, in order.
void addGradientSlots(const PrintedModule& joint, std::vector<OutputSlot>& slots);

/// The number of forward outputs of a joint graph: all but the last ones, one per primal, which are gradients or None.
std::size_t forwardOutputsOf(const PrintedModule& joint);

/// The problems of a complete joint graph, a sentence each: forward outputs that depend on a tangent, or contradicting
/// numbers of inputs and outputs.
std::vector<std::string> jointProblems(const Graph& joint);
/// Why no forward can compute the forward outputs of a joint graph: the first one that depends on a tangent, as a
/// sentence; empty if it can.
std::string whyNoForward(const Graph& joint);

/// For tensors and numbers that a forward saves.
inline bool isSavedRole(Role role) { return role == Role::saved || role == Role::savedSymint; }

/// Whether the inputs are named like those of a joint graph and its forward.
bool hasPrimals(const Graph& graph);

/// The number of outputs of a forward, printed without its backward, that are not saved values. Those come last,
/// numbers after tensors, each in graph order.
std::size_t resultsOf(const PrintedModule& forward);

/// The stage of every node of a joint graph. As in PyTorch's default_partition, the forward extends to the last node
/// that a forward output needs or that has an effect; nodes after it, and those that depend on a tangent, are backward.
void setStages(Graph& joint, std::size_t forwardOutputs);

/// Finds the forward operation of every backward node: the one on the same source line whose values it uses, otherwise
/// that of the previous backward operation.
void linkBackward(Graph& joint);

/// Numbers the storages: results of view operations share their input's storage.
void numberStorages(Graph& graph);

/// Infers the types of operations with several results from their elements, as only those are annotated.
void setTupleTypes(Graph& graph);

}  // namespace aotscope
