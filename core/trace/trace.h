#pragma once

#include "ir/metadata.h"
#include "program/program.h"
#include "program/split_step.h"
#include "trace/recorder.h"

#include <ATen/FunctionalStorageImpl.h>

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// The lazy conjugate and negative bits of a tensor.
struct LazyBits {
    bool conjugated = false, negated = false;
};

/// The original program: the metadata of its arguments after the run and of its results, for tensors. Equal storage
/// numbers mean shared memory.
struct ForwardTrace : Trace {
    std::vector<std::optional<TensorType>> after, results;
    std::vector<bool> restrided;  ///< by argument: whether as_strided is called on its memory
    std::vector<bool> overtaken;  ///< by result: whether it is an as_strided view of memory that is written to later
    std::vector<LazyBits> bits;   ///< of the results
};

struct TraceOptions {
    bool gradMode = true;             ///< of the caller
    bool keepInputMutations = false;  ///< let the graph overwrite inputs if neither autograd nor a shape depends on it
    std::shared_ptr<const ChosenDecompositions> decompositions = nullptr;  ///< for the compiled graph; null: none
    Dialect dialect = Dialect::python;
};

/// The view operations from a base to an output, to be replayed at run time.
using ViewSequence = std::vector<std::shared_ptr<at::functionalization::ViewMeta>>;

struct ForwardRun;

/// How a function mutates its arguments and how its outputs alias.
struct MetadataTrace {
    FunctionMetadata metadata;              ///< of the arguments, with the calling convention of the graph
    FunctionMetadata graphMetadata;         ///< of the graph's inputs: the same if the convention is plain
    std::vector<ViewSequence> outputViews;  ///< by output; empty if views are not replayed
    Trace functional;  ///< the forward without mutations: (mutated inputs, outputs, intermediate bases)
    Structure outputStructure;
    bool duplicates = false;                                ///< whether there are any among the arguments
    std::vector<std::optional<TensorType>> after, results;  ///< from ForwardTrace
    /// The run in which `functional` was recorded, if the joint trace would run the function in the same way; otherwise
    /// null.
    std::shared_ptr<ForwardRun> run;

    /// Whether `functional` has different inputs than the graph: duplicates were merged.
    bool takesOtherInputs() const { return duplicates || !metadata.convention.isPlain(); }
};

// Every trace runs on a separate thread and does not change the RNG state.

/// Runs the function on fake tensors, functionalized, and decides the inputs of its graph. Counterpart of
/// run_functionalized_fw_and_collect_metadata in torch/_functorch/_aot_autograd/collect_metadata_analysis.py.
MetadataTrace traceMetadata(const FlatFunction& function, DataDependentValues& dataValues, const TraceOptions& options,
                            const ForwardTrace& asWritten);

/// Runs it again with the inputs of the graph; facts about its outputs do not change.
void traceWithGraphInputs(const FlatFunction& function, DataDependentValues& dataValues, const TraceOptions& options,
                          MetadataTrace& known);

/// The inference graph: the functional forward, decomposed as the options specify. The program runs again, because its
/// copies may depend on the layout of decomposed results.
Trace traceInference(const FlatFunction& function, DataDependentValues& dataValues, const TraceOptions& options,
                     const MetadataTrace& known);

/// Determines which outputs of `graph`, a later form of the functional one, have a different layout than in eager.
void noteLayouts(MetadataTrace& known, const Graph& graph);

/// The original program: operations below autograd, in-place mutations.
ForwardTrace traceForward(const FlatFunction& function, DataDependentValues& dataValues);

struct JointTrace : Trace {
    std::vector<std::size_t> undifferentiableTangents;  ///< see FunctionMetadata
    std::vector<std::string> refusals;                  ///< autograd's error for each of them
};

/// (primals, tangents) -> (mutated inputs, outputs, intermediate bases | gradients of the primals). Operations are
/// decomposed as the options specify, in forward and backward, below autograd and functionalization. Counterpart of
/// create_joint in torch/_functorch/_aot_autograd/graph_capture_wrappers.py. `steps` decides what loops save. Continues
/// the run of `known`, and takes it, if there is one: the graph is the same as without.
JointTrace traceJoint(const FlatFunction& function, DataDependentValues& dataValues, const TraceOptions& options,
                      MetadataTrace& known, const StepSplitter& steps);

}  // namespace aotscope
