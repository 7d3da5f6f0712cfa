#pragma once

#include "aten/dispatch_mode.h"
#include "program/higher_order.h"
#include "trace/data_replay.h"
#include "trace/decomposer.h"
#include "trace/evaluate.h"
#include "trace/node_provenance.h"
#include "trace/traced_graph.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace aotscope {

/// A graph recorded by running a function on fake tensors.
struct Trace {
    std::unique_ptr<Graph> graph;
    ConstantTable constants;
    std::map<std::string, int> fallbacks;  ///< operators without a shape rule that ran a real kernel, with counts
    std::vector<TracedReading> readings;   ///< data on which control flow or shapes depend
    std::vector<Rewrite> rewrites;         ///< operations replaced by decompositions
};

/// Records the operations of one thread, run on fake tensors, as a graph. Operations on ordinary tensors alone (sizes
/// turned into tensors, literals) run for real and are not recorded: constants are folded, except those lifted by an
/// exported program, as in Python.
class Recorder final : public DispatchHandler {
public:
    /// `dataValues` provides data that the program reads. Null: only graphs are retraced, see NodeProvenance::follow().
    Recorder(std::string graphName, LocationSink& location, DataDependentValues* dataValues);

    /// For a subgraph of an operator recorded by `owner`: none of the program's data is known in it.
    Recorder(std::string graphName, LocationSink& location, const Recorder& owner);

    /// For a graph that is neither the program nor a part of its graph.
    Recorder(std::string graphName, LocationSink& location, Dialect dialect);

    TracedGraph& graph() { return graph_; }
    NodeProvenance& provenance() { return provenance_; }

    /// From now on, operations that `table` decomposes are replaced by the calls in their rules. Null: none.
    void decomposeBy(std::shared_ptr<const ChosenDecompositions> table) { decomposer_.setTable(std::move(table)); }
    SavedOutput savedOutput() const { return decomposer_.savedOutput(); }

    /// The original program runs: its copies are recorded for later traces.
    void recordAsWritten() { asWritten_ = true; }

    /// Registers `fake` as a new placeholder.
    Node* addPlaceholder(std::string_view name, const at::Tensor& fake, Role role, std::string label);

    /// Call with the program's outputs before its backward is recorded.
    void noteOutputs(const std::vector<c10::IValue>& outputs);

    /// Ends the recording. `outputs` are fake or ordinary tensors, numbers or None.
    Trace finish(const std::vector<c10::IValue>& outputs, std::vector<OutputSlot> slots);
    /// What finish() would return; the recording continues.
    Trace snapshot(const std::vector<c10::IValue>& outputs, std::vector<OutputSlot> slots);
    /// Whether only operations on fake tensors were recorded: no data was read, no operator ran a subgraph, nothing was
    /// decomposed or compared with real data.
    bool isPlain() const;

    void dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;
    bool intercept(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack& stack) override;

private:
    void noteWrapper(const at::Tensor& wrapper);
    Trace traceOf(std::unique_ptr<Graph> graph) const;
    // Only for the program's own calls, not those inside of a composite operator.
    bool takesOverloadOfPython(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    bool layOutAsWritten(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    /// A number in a subgraph that is known only at run time.
    bool takeNumber(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    bool copyDropout(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    void runOnConstants(const c10::OperatorHandle& op, torch::jit::Stack& stack, bool readsData);
    /// Whether Python's tracer records `op` although its tensors are constants.
    bool usesLifted(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args) const;
    /// Replaces constants among the arguments by fake tensors on the traced device.
    void placeConstants(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    at::Tensor placed(const at::Tensor& constant);
    void noteLifted(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args, const c10::IValue& result);
    /// If the elements of a ZeroTensor, which has no memory, are needed, graphs compute zeros.
    bool recordZeros(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    /// Gradient formulas check data only to reject losses that depend on something ambiguous, such as the phase of
    /// singular vectors: like PyTorch's own tracers, a trace assumes that they do not.
    bool affirm(const c10::OperatorHandle& op, torch::jit::Stack& stack) const;
    /// Functional values have different strides, which a view may not support: it is then a view of a copy.
    void fitView(const c10::OperatorHandle& op, torch::jit::Stack& stack) const;
    void record(const c10::OperatorHandle& op, torch::jit::Stack& stack, bool readsData);
    /// Also traces the subgraphs of `op`.
    void recordHigherOrder(const c10::OperatorHandle& op, const HigherOrderOperator& known, torch::jit::Stack& stack);
    std::shared_ptr<const Graph> traceSubgraph(const c10::IValue& function, const std::vector<TensorShape>& inputs,
                                               const std::string& name, std::vector<TensorShape>& outputs);
    /// Puts the results of `node` on the stack.
    void evaluate(const Node& node, const c10::OperatorHandle& op, torch::jit::Stack& stack, bool readsData);

    TracedGraph graph_;
    LocationSink& location_;
    NodeProvenance provenance_;
    Decomposer decomposer_;
    DataDependentValues* dataValues_;
    Dialect dialect_;
    Dialect rules_;        ///< which rules apply before autograd; a retraced graph is not changed by them
    bool nested_ = false;  ///< a subgraph is being recorded
    DataReplay data_;
    CrossCheck* crossCheck_;
    FakeEvaluator evaluator_;
    bool asWritten_ = false;
    std::map<const c10::TensorImpl*, at::Tensor> lifted_;  ///< copies of constants that appear in recorded operations
    std::optional<c10::Device> constantsOn_;               ///< nothing: not moved
    std::map<const c10::TensorImpl*, std::pair<at::Tensor, at::Tensor>> placed_;  ///< constants, and their fakes there
    std::size_t stepSeen_ = 0;                                                    ///< of the program's operations
    std::map<std::string, int> subgraphNames_;                                    ///< number by prefix
    std::map<std::string, int> nestedFallbacks_;                                  ///< within subgraphs
};

}  // namespace aotscope
