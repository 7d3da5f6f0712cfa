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

/// A graph made by running a function on fakes.
struct Trace {
    std::unique_ptr<Graph> graph;
    ConstantTable constants;
    std::map<std::string, int> fallbacks;  ///< operators without a shape rule that ran a real kernel, with counts
    std::vector<TracedReading> readings;   ///< where control flow or shapes depend on data
    std::vector<Rewrite> rewrites;         ///< operations that decompositions have replaced
};

/// Turns the operations of one thread, run on fakes, into a graph. Operations on ordinary tensors alone (sizes
/// turned into tensors, literals) run for real and leave no node: constants fold, except those that an exported program
/// has lifted, as in Python.
class Recorder final : public DispatchHandler {
public:
    /// `dataValues` answers where the program reads data. Null: only graphs are recorded again, see
    /// NodeProvenance::follow().
    Recorder(std::string graphName, LocationSink& location, DataDependentValues* dataValues);

    /// Of a graph that an operator recorded by `owner` runs: nothing of the program's data is known in it.
    Recorder(std::string graphName, LocationSink& location, const Recorder& owner);

    /// Of a graph that is neither the program nor a part of its graph.
    Recorder(std::string graphName, LocationSink& location, Dialect dialect);

    TracedGraph& graph() { return graph_; }
    NodeProvenance& provenance() { return provenance_; }

    /// From now on operations that `table` decomposes are not recorded; what their rules call is. Null: none.
    void decomposeBy(std::shared_ptr<const DecompositionTable> table) { decomposer_.setTable(std::move(table)); }
    SavedOutput savedOutput() const { return decomposer_.savedOutput(); }

    /// What runs is the program as written: its copies are noted for the traces to come.
    void recordAsWritten() { asWritten_ = true; }

    /// Makes `fake` known as a new placeholder.
    Node* addPlaceholder(std::string_view name, const at::Tensor& fake, Role role, std::string label);

    /// Tells the recorder of the program's outputs before its backward is recorded.
    void noteOutputs(const std::vector<c10::IValue>& outputs);

    /// Ends the recording. `outputs` are fakes, ordinary tensors, numbers or None.
    Trace finish(const std::vector<c10::IValue>& outputs, std::vector<OutputSlot> slots);
    /// What finish() would return; the recording goes on.
    Trace snapshot(const std::vector<c10::IValue>& outputs, std::vector<OutputSlot> slots);
    /// Whether only operations on fakes were recorded: no data was read, no operator ran a graph, nothing was
    /// decomposed or compared with real data.
    bool isPlain() const;

    void dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;
    bool intercept(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack& stack) override;

private:
    void noteWrapper(const at::Tensor& wrapper);
    Trace traceOf(std::unique_ptr<Graph> graph) const;
    // The program's own calls, not those inside of a composite operator.
    bool takesOverloadOfPython(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    bool layOutAsWritten(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    /// A number that is known only when the graph runs which an operator such as cond runs.
    bool takeNumber(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    bool copyDropout(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    void runOnConstants(const c10::OperatorHandle& op, torch::jit::Stack& stack, bool readsData);
    /// Whether Python's tracer has `op` in the graph though its tensors are constants.
    bool usesLifted(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args) const;
    /// Replaces constants among the arguments by fakes on the device that is traced for.
    void placeConstants(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    at::Tensor placed(const at::Tensor& constant);
    void noteLifted(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args, const c10::IValue& result);
    /// Where the elements of a ZeroTensor are needed, graphs compute zeros: it has no memory itself.
    bool recordZeros(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    /// Gradient formulas ask about data only to refuse losses that depend on what is not determined, such as the phase
    /// of singular vectors: as under PyTorch's own tracers, a trace takes it that they do not.
    bool affirm(const c10::OperatorHandle& op, torch::jit::Stack& stack) const;
    /// Functional values have strides of their own, which a view may not fit: then it is one of a copy.
    void fitView(const c10::OperatorHandle& op, torch::jit::Stack& stack) const;
    void record(const c10::OperatorHandle& op, torch::jit::Stack& stack, bool readsData);
    /// Traces the graphs that `op` runs, too.
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
    Dialect rules_;        ///< which rules apply before autograd; a graph that is run again is as its maker wanted it
    bool nested_ = false;  ///< what an operator runs is recorded
    DataReplay data_;
    CrossCheck* crossCheck_;
    FakeEvaluator evaluator_;
    bool asWritten_ = false;
    std::map<const c10::TensorImpl*, at::Tensor> lifted_;  ///< copies of constants that operations are recorded of
    std::optional<c10::Device> constantsOn_;               ///< nothing: where they are
    std::map<const c10::TensorImpl*, std::pair<at::Tensor, at::Tensor>> placed_;  ///< constants, and their fakes there
    std::size_t stepSeen_ = 0;                                                    ///< of the program's operations
    std::map<std::string, int> subgraphNames_;    ///< by what they start with, how many there are
    std::map<std::string, int> nestedFallbacks_;  ///< within subgraphs
};

}  // namespace aotscope
