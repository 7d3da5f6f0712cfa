#pragma once

#include "aten/autocast.h"
#include "compile/supervised_graph.h"
#include "ir/metadata.h"
#include "program/program.h"
#include "runtime/guards.h"
#include "runtime/size_guards.h"
#include "trace/trace.h"

#include <memory>
#include <vector>

namespace aotscope {

/// The backends of a function's graphs.
struct GraphCompilers {
    std::shared_ptr<const Compiler> forward;   ///< or of the inference graph
    std::shared_ptr<const Compiler> backward;  ///< null for inference
};

/// The parts of a compiled function. Graphs are kept, since the backward is compiled when it is first needed.
struct CompiledParts {
    FunctionMetadata metadata;       ///< of the arguments
    FunctionMetadata graphMetadata;  ///< of the graph's inputs
    std::vector<ViewSequence> outputViews;
    ConstantTable constants;
    GraphCompilers compilers;
    GraphKind kind = GraphKind::forward;    ///< of `forward`, which is the only graph if this is not a forward
    std::shared_ptr<const Graph> forward;   ///< or the inference graph
    std::shared_ptr<const Graph> backward;  ///< null for inference
    std::shared_ptr<const SizeGuards> sizes;
    std::shared_ptr<const GuardSet> guards;  ///< null if the program does not read data
    AutocastState autocast;                  ///< during tracing
};

/// Observes when a compiled function runs its graphs, but not their steps.
class GraphObserver {
public:
    virtual ~GraphObserver() = default;
    virtual void before(bool backward) = 0;
    virtual void after(bool backward) = 0;
};

/// A drop-in replacement for the traced function: same outputs, gradients, mutations and aliases, from functional
/// graphs. After the forward graph it writes updated inputs back and regenerates aliased outputs; one autograd node,
/// which runs the backward graph, connects its outputs to the caller's autograd graph. Counterparts: RuntimeWrapper and
/// AOTDispatchAutograd in torch/_functorch/_aot_autograd/runtime_wrappers.py.
class CompiledFunction : public std::enable_shared_from_this<CompiledFunction> {
public:
    struct Observers {
        StepObserver* forward = nullptr;
        StepObserver* backward = nullptr;
        GraphObserver* graphs = nullptr;
    };

    /// Compiles the forward; the backward is compiled at its first use.
    static std::shared_ptr<const CompiledFunction> make(CompiledParts parts);

    /// The same graphs, run by the interpreter operation by operation.
    std::shared_ptr<const CompiledFunction> interpreted() const;

    /// Why the graphs, which are specialized to the example inputs, must not run on `leaves`; nothing if they may.
    std::optional<std::string> failedGuard(const std::vector<c10::IValue>& leaves) const;

    /// `leaves`: see FlatFunction. Throws Error if a guard fails.
    std::vector<c10::IValue> operator()(const std::vector<c10::IValue>& leaves) const;
    /// The same, for leaves that failedGuard accepts. Observers of the graphs' steps must outlive the backward.
    std::vector<c10::IValue> run(const std::vector<c10::IValue>& leaves, Observers observers) const;

    const FunctionMetadata& metadata() const { return parts_.metadata; }
    const SizeGuards& sizes() const { return *parts_.sizes; }
    const CompiledGraph& forward() const { return forward_; }
    /// Compiles the backward on the first call.
    const CompiledGraph& backward() const;
    const GraphCompilers& backends() const { return parts_.compilers; }
    /// For both graphs, as known so far: a backend may fail in the first run.
    std::vector<CompilerUse> compilers() const;

private:
    friend struct CompiledBackward;
    explicit CompiledFunction(CompiledParts parts);

    /// What every call needs from the metadata, for any sizes; computed once.
    struct Layout {
        explicit Layout(const CompiledParts& parts);
        std::vector<std::size_t> turning;      ///< arguments that the program makes differentiable
        std::vector<std::size_t> bumped;       ///< arguments whose version is incremented although nothing changed
        std::vector<std::size_t> overwritten;  ///< inputs of the graph whose data the epilogue overwrites
        std::vector<std::size_t> written;      ///< inputs that the graph overwrites, which autograd must notice
        std::vector<bool> passedOn;            ///< inputs whose storage the graph replaces: must not be copied
        std::vector<bool> tangentMask;         ///< for the forward graph's outputs before the saved values
        bool plain = true;                     ///< the arguments are the graph's inputs
    };

    std::vector<c10::IValue> withoutGradients(const std::vector<c10::IValue>& inputs) const;
    void bumpVersions(const std::vector<c10::IValue>& inputs) const;
    std::vector<c10::IValue> runGraph(const CompiledGraph& graph, std::vector<c10::IValue>& args, bool backward,
                                      Observers observers) const;
    std::optional<std::string> failedGradMode(const std::vector<c10::IValue>& leaves) const;
    std::optional<std::string> failedInputs(const std::vector<c10::IValue>& leaves) const;
    using SharedMetadata = std::shared_ptr<const FunctionMetadata>;
    std::vector<c10::IValue> runAt(const FunctionMetadata& function, const SharedMetadata& graph,
                                   const std::vector<c10::IValue>& leaves, Observers observers) const;
    /// The results of the forward or inference graph for `inputs`; `metadata` is that of the graph.
    std::vector<c10::IValue> runTraining(const SharedMetadata& metadata, const std::vector<c10::IValue>& inputs,
                                         Observers observers) const;
    std::vector<c10::IValue> runInference(const std::vector<c10::IValue>& inputs, Observers observers) const;

    CompiledParts parts_;
    Layout layout_;
    SupervisedGraph forward_;
    std::unique_ptr<const SupervisedGraph> backward_;  ///< null for inference
};

/// One call: the caller's arguments, the graph's inputs and its results.
struct FinishedCall {
    const FunctionMetadata& function;  ///< of the arguments
    const FunctionMetadata& graph;     ///< of the graph's inputs
    const std::vector<c10::IValue>& arguments;
    const std::vector<c10::IValue>& inputs;
    const std::vector<c10::IValue>& returned;  ///< (updated inputs, outputs, intermediate bases)
};

/// Writes the updated values of mutated inputs back and builds the user's outputs.
std::vector<c10::IValue> finishForward(const FinishedCall& call, const std::vector<ViewSequence>& outputViews);

}  // namespace aotscope
