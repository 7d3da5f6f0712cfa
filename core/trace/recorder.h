#pragma once

#include "aten/dispatch_mode.h"
#include "ir/graph.h"
#include "ir/rewrite.h"
#include "ops/decomposition_table.h"
#include "program/constant_table.h"
#include "program/location_sink.h"
#include "trace/evaluate.h"

#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace aotscope {

/// Turns the operations of one thread, run on fakes, into a graph. Operations on ordinary tensors alone (sizes
/// turned into tensors, literals) run for real and leave no node: constants fold.
class Recorder final : public DispatchHandler {
public:
    /// `dataValues` answers where the program reads data. Null: only graphs are recorded again, see follow().
    Recorder(std::string graphName, LocationSink& location, DataDependentValues* dataValues);

    /// From now on operations that `table` decomposes are not recorded; what their rules call is. Null: none.
    void decomposeBy(std::shared_ptr<const DecompositionTable> table) { table_ = std::move(table); }
    /// What autograd puts between a result that it keeps and its use in the backward: an alias if the table decomposes
    /// detach.
    SavedOutput savedOutput() const;
    const std::vector<Rewrite>& rewrites() const { return rewrites_; }

    /// What is recorded next belongs to `node` of another graph that is being run: it has its stage, its source and its
    /// place in autograd, and results that depend on data have its type.
    void follow(const Node* node);
    const Graph& graph() const { return *graph_; }
    /// The node that stands for `value`, a fake; null for everything else.
    Node* nodeOf(const c10::IValue& value) const;

    /// What runs is the program as written: its copies are noted for the traces to come.
    void recordAsWritten() { asWritten_ = true; }

    /// Makes `fake` known as a new placeholder.
    Node* addPlaceholder(std::string_view name, const at::Tensor& fake, Role role, std::string label);
    /// An input that is no tensor: a number, a boolean, a string or None.
    Node* addValuePlaceholder(std::string_view name, const c10::IValue& value, std::string label);

    /// A constant of which only a fake is at hand.
    void addConstant(const std::string& name, const at::Tensor& fake);

    /// Tells the recorder of the program's outputs before its backward is recorded.
    void noteOutputs(const std::vector<c10::IValue>& outputs);

    /// From now on nodes belong to the backward.
    void enterBackward() { stage_ = Stage::backward; }
    void enterForward() { stage_ = Stage::forward; }

    /// The node that made `tensor` (a fake, below functionalization); a constant node for an ordinary tensor.
    Argument valueOf(const at::Tensor& tensor);

    /// Records that the graph itself overwrites the placeholder `input` by `updated`, a fake: its elements, or its
    /// storage. Later uses of the placeholder still mean its value before.
    void writeBack(const at::Tensor& input, const at::Tensor& updated, bool storage);

    /// Ends the recording. `outputs` are fakes, ordinary tensors, numbers or None.
    std::unique_ptr<Graph> finish(const std::vector<c10::IValue>& outputs, std::vector<OutputSlot> slots);

    const ConstantTable& constants() const { return constants_; }
    const std::map<std::string, int>& fallbacks() const { return evaluator_.fallbacks(); }
    const std::vector<TracedReading>& readings() const { return readings_; }

    void dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;
    bool intercept(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack& stack) override;

private:
    /// The program's own call, not one inside of a composite operator.
    bool layOutAsWritten(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    using CallArguments = std::pair<std::vector<Argument>, KeywordArguments>;
    CallArguments callArguments(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args);
    Node* recordCall(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args);
    void recordWrite(Node* node, torch::jit::Stack& stack, std::size_t arguments);
    bool decompose(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    int beginRewrite(const c10::OperatorHandle& op, const DecompositionRow& row, c10::ArrayRef<c10::IValue> args);
    CrossCheck* crossCheck() const { return dataValues_ ? dataValues_->crossCheck() : nullptr; }
    /// Gives `node`, an operation that depends on data, its results.
    void replay(Node* node, const c10::OperatorHandle& op, torch::jit::Stack& stack);
    void noteMasks(const std::vector<at::Tensor>& masks);
    void indexInBackward(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    void bindResults(Node* node, c10::ArrayRef<c10::IValue> results);
    void bind(Node* node, const at::Tensor& fake);
    Node* addItem(Node* tuple, std::int64_t index, const at::Tensor& fake);
    void annotate(Node* node);
    void annotateAs(Node* node, const Node& origin);
    void noteWrapper(const at::Tensor& wrapper);
    TensorType typeOfFake(const at::Tensor& fake);

    std::unique_ptr<Graph> graph_;
    LocationSink& location_;
    DataDependentValues* dataValues_;
    FakeEvaluator evaluator_;
    std::size_t nextReading_ = 0;  ///< counts those of constants, too
    std::vector<TracedReading> readings_;
    std::unordered_map<const c10::TensorImpl*, DataResult> places_;  ///< that masks choose
    ConstantTable constants_;
    Stage stage_ = Stage::forward;
    bool asWritten_ = false;
    std::size_t stepSeen_ = 0;  ///< of the program's operations
    std::shared_ptr<const DecompositionTable> table_;
    std::vector<Rewrite> rewrites_;
    int rewrite_ = -1;                            ///< index of the rewrite whose rule is running
    const Node* origin_ = nullptr;                ///< of follow()
    std::unordered_map<NodeId, NodeId> firstOf_;  ///< by the id of a followed node, the first that it became
    std::unordered_map<const c10::TensorImpl*, Node*> nodes_;  ///< by the meta tensor of a fake
    std::unordered_map<const c10::StorageImpl*, std::int64_t> storages_;
    std::unordered_set<const c10::TensorImpl*> forwardWrappers_;  ///< functional wrappers seen in the forward
    std::vector<at::Tensor> keepAlive_;                           ///< so that addresses in the maps stay unique
    std::unordered_map<std::int64_t, Node*> forwardBySequence_;
};

}  // namespace aotscope
