#pragma once

#include "load/printed/parser.h"

#include <unordered_set>

namespace aotscope {

/// Nodes that depend on a tangent.
std::unordered_set<const Node*> dependOnTangents(const Graph& graph);

/// Sets the roles of all placeholders from their names and notes. `savedByName`: those of a backward graph.
void setPlaceholderRoles(PrintedModule& module, bool backward);

/// How many of the outputs of a joint graph belong to the forward. Every primal has one gradient, so the rest is
/// known; should an output in front of that depend on a tangent, the forward ends in front of it.
std::size_t forwardOutputsOf(const PrintedModule& joint);

/// The stage of every node of a joint graph. As in PyTorch's default partitioner the forward reaches to the last
/// node that a forward output needs or that has an effect; behind it, and behind a tangent, is the backward.
void setStages(Graph& joint, std::size_t forwardOutputs);

/// For every backward node the forward operation that it differentiates: of the same source line, the one whose
/// values it uses, else the one of the backward operation before it.
void linkBackward(Graph& joint);

/// Numbers the storages: results of view operations share their input's memory.
void numberStorages(Graph& graph);

/// Types of operations with several results, from their elements: the text annotates only those.
void setTupleTypes(Graph& graph);

}  // namespace aotscope
