#pragma once

#include "ir/metadata.h"
#include "program/program.h"
#include "trace/recorder.h"

#include <ATen/FunctionalStorageImpl.h>

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// What LibTorch has yet to do to the elements of a tensor.
struct LazyBits {
    bool conjugated = false, negated = false;
};

/// The program as written: how it leaves its arguments and makes its results, as far as these are tensors. Equal
/// storage numbers share memory.
struct ForwardTrace : Trace {
    std::vector<std::optional<TensorType>> after, results;
    std::vector<bool> restrided;  ///< per argument, whether a view by strides is taken of its memory
    std::vector<bool> overtaken;  ///< per result, whether it is a view by strides of memory that is written to later
    std::vector<LazyBits> bits;   ///< of the results
};

struct TraceOptions {
    bool gradMode = true;             ///< of the caller
    bool keepInputMutations = false;  ///< let the graph overwrite inputs where neither autograd nor a shape sees it
    std::shared_ptr<const DecompositionTable> decompositions = nullptr;  ///< of the graph to compile; null: none
};

/// The view operations that lead from a base to an output, to be replayed at run time.
using ViewSequence = std::vector<std::shared_ptr<at::functionalization::ViewMeta>>;

/// What a function does to its arguments and how its outputs alias.
struct MetadataTrace {
    FunctionMetadata metadata;              ///< of the arguments, with the calling convention of the graph
    FunctionMetadata graphMetadata;         ///< of the graph's inputs: the same if the convention is plain
    std::vector<ViewSequence> outputViews;  ///< for every output; empty where views are not replayed
    Trace functional;  ///< the forward without mutations: (mutated inputs, outputs, intermediate bases)
    Structure outputStructure;
    bool duplicates = false;                                ///< among the arguments
    std::vector<std::optional<TensorType>> after, results;  ///< of ForwardTrace

    /// Whether `functional` was made with other inputs than the graph has: duplicates were one there.
    bool takesOtherInputs() const { return duplicates || !metadata.convention.isPlain(); }
};

// Every trace runs on a thread of its own and leaves the random generators as they were.

/// Runs the function on fakes, functionalized, and decides what inputs its graph has.
MetadataTrace traceMetadata(const FlatFunction& function, DataDependentValues& dataValues, const TraceOptions& options,
                            const ForwardTrace& asWritten);

/// Runs it again with the inputs of the graph; what is known of its outputs stays as it is.
void traceWithGraphInputs(const FlatFunction& function, DataDependentValues& dataValues, const TraceOptions& options,
                          MetadataTrace& known);

/// The functional forward once more, with its operations decomposed as the options say: the graph of an inference.
/// The program runs again because what it copies can depend on how a decomposition lays out its results.
Trace traceInference(const FlatFunction& function, DataDependentValues& dataValues, const TraceOptions& options,
                     const MetadataTrace& known);

/// Decides which outputs of `graph`, a later form of the functional one, have another layout than in the program.
void noteLayouts(MetadataTrace& known, const Graph& graph);

/// The program as written: operations below autograd, mutations in place.
ForwardTrace traceForward(const FlatFunction& function, DataDependentValues& dataValues);

struct JointTrace : Trace {
    std::vector<std::size_t> undifferentiableTangents;  ///< see FunctionMetadata
};

/// (primals, tangents) -> (mutated inputs, outputs, intermediate bases | gradients of the primals).
/// Operations are decomposed as the options say, in forward and backward, below autograd and functionalization.
JointTrace traceJoint(const FlatFunction& function, DataDependentValues& dataValues, const TraceOptions& options,
                      const MetadataTrace& known);

}  // namespace aotscope
