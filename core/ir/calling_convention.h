#pragma once

#include "ir/types.h"

#include <optional>
#include <vector>

namespace aotscope {

/// One input of a graph.
struct GraphInput {
    /// The function's arguments that it represents: one, or all views of a synthetic base, without duplicates.
    std::vector<std::size_t> arguments;
    /// A synthetic base, which the caller does not pass: a tensor that these arguments, one of which is mutated, are
    /// views of.
    bool syntheticBase = false;
    bool wholeStorage = false;  ///< a one-dimensional base made from the storage: the arguments have no common base

    bool operator==(const GraphInput&) const = default;
};

/// How the graph gets an argument of the function.
struct ArgumentSource {
    std::size_t input = 0;           ///< of the graph
    std::optional<TensorType> view;  ///< the argument as a view of that input, a synthetic base
};

/// How the arguments of a function become the inputs of its graph. Duplicates of mutated arguments are passed once;
/// mutated arguments that overlap others in memory are replaced by a synthetic base, from which the graph recreates the
/// views. Bases come first. Source: AOTDedupeWrapper and AOTSyntheticBaseWrapper in
/// torch/_functorch/_aot_autograd/runtime_wrappers.py.
struct CallingConvention {
    std::vector<GraphInput> inputs;
    std::vector<ArgumentSource> arguments;
    /// For every argument, the index of the first argument that is the same tensor and passed instead, or its own.
    std::vector<std::size_t> duplicateOf;

    /// Every argument is an input.
    static CallingConvention plain(std::size_t arguments);

    /// Whether duplicates are passed once, so that it is valid only for calls with the same duplicates.
    bool specialised() const;
    bool hasSyntheticBases() const { return !inputs.empty() && inputs.front().syntheticBase; }
    bool isPlain() const { return !specialised() && !hasSyntheticBases(); }
    bool isDuplicate(std::size_t argument) const { return duplicateOf[argument] != argument; }
};

}  // namespace aotscope
