#pragma once

#include "ir/types.h"

#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// One input of a graph.
struct GraphInput {
    /// The function's arguments that it stands for: one, or all views of a synthetic base. Duplicates are left out.
    std::vector<std::size_t> arguments;
    /// A synthetic base, which the caller does not pass: the tensor of which these arguments, one of them mutated, are
    /// views.
    bool syntheticBase = false;
    bool wholeStorage = false;  ///< a base made of the storage, one-dimensional: the arguments have none in common

    bool operator==(const GraphInput&) const = default;
};

/// How the graph gets an argument of the function.
struct ArgumentSource {
    std::size_t input = 0;           ///< of the graph
    std::optional<TensorType> view;  ///< how it looks into that input, a synthetic base
};

/// How the arguments of a function become the inputs of its graph. Duplicates of mutated arguments are passed once;
/// mutated arguments that overlap others in memory are replaced by a synthetic base, from which the graph recreates the
/// views. Bases come first. Source: AOTDedupeWrapper and AOTSyntheticBaseWrapper in
/// torch/_functorch/_aot_autograd/runtime_wrappers.py.
struct CallingConvention {
    std::vector<GraphInput> inputs;
    std::vector<ArgumentSource> arguments;
    /// For every argument, the index of the first argument that is the same tensor, if passed in its place; else its
    /// own.
    std::vector<std::size_t> duplicateOf;

    /// Every argument is an input.
    static CallingConvention plain(std::size_t arguments);

    /// Duplicates are passed once; valid only for calls with the same duplicates.
    bool specialised() const;
    bool hasSyntheticBases() const { return !inputs.empty() && inputs.front().syntheticBase; }
    bool isPlain() const { return !specialised() && !hasSyntheticBases(); }
    bool isDuplicate(std::size_t argument) const { return duplicateOf[argument] != argument; }
};

}  // namespace aotscope
