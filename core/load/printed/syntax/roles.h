#pragma once

#include "load/printed/parser.h"

#include <unordered_set>

namespace aotscope {

/// Nodes that depend on a tangent.
std::unordered_set<const Node*> dependOnTangents(const Graph& graph);

/// Sets the roles of all placeholders from their names, their notes and the signature of an exported program.
void setPlaceholderRoles(PrintedModule& module, bool backward);

/// Slots of what a graph without tangents returns: as the signature of an exported program has them, else the program's
/// outputs.
std::vector<OutputSlot> plainSlots(const PrintedModule& module);

/// Adds those of the gradients to the slots of a joint graph's other outputs: one for each primal, in order.
void addGradientSlots(const PrintedModule& joint, std::vector<OutputSlot>& slots);

/// The number of outputs of a joint graph that belong to the forward: all but the last, of which every primal has one,
/// its gradient or None.
std::size_t forwardOutputsOf(const PrintedModule& joint);

/// What is wrong with a complete joint graph, a sentence each: outputs of the forward that depend on a tangent, or
/// numbers of inputs and outputs that contradict each other.
std::vector<std::string> jointProblems(const Graph& joint);
/// Why no forward can compute the outputs of a joint graph that belong to it: the first that depends on a tangent, as
/// a sentence; empty: it can.
std::string whyNoForward(const Graph& joint);

/// Of values and numbers that a forward saves.
inline bool isSavedRole(Role role) { return role == Role::saved || role == Role::savedSymint; }

/// Whether the inputs have the names of those of a joint graph and its forward.
bool hasPrimals(const Graph& graph);

/// The number of outputs of a forward, printed without its backward, that are not saved values. Those come last,
/// numbers behind tensors, each in the order of the graph.
std::size_t resultsOf(const PrintedModule& forward);

/// The stage of every node of a joint graph. As in PyTorch's default_partition, the forward extends to the last node
/// that a forward output needs or that has an effect; nodes after it, and those that depend on a tangent, are backward.
void setStages(Graph& joint, std::size_t forwardOutputs);

/// For every backward node the forward operation that it differentiates: the one on the same source line whose values
/// it uses, else that of the backward operation before it.
void linkBackward(Graph& joint);

/// Numbers the storages: results of view operations share their input's storage.
void numberStorages(Graph& graph);

/// Infers the types of operations with several results from their elements, since only those are annotated.
void setTupleTypes(Graph& graph);

}  // namespace aotscope
