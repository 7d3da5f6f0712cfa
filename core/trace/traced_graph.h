#pragma once

#include "ir/graph.h"
#include "program/constant_table.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace aotscope {

/// A graph while it is recorded, and which of its nodes stands for which fake.
class TracedGraph {
public:
    /// `owner`: the graph that runs this one; null for a whole graph.
    explicit TracedGraph(std::string name, const TracedGraph* owner = nullptr)
        : graph_(std::make_unique<Graph>(std::move(name))),
          constantPrefix_(owner ? owner->constantPrefix_ + graph_->name() + "." : "") {}

    std::size_t size() const { return graph_->size(); }
    const Node* at(std::size_t i) const { return graph_->at(i); }
    const ConstantTable& constants() const { return constants_; }

    Node* addPlaceholder(std::string_view name, const at::Tensor& fake, Role role, std::string label);
    /// An input that is no tensor: a number, a boolean, a string or None.
    Node* addValuePlaceholder(std::string_view name, const c10::IValue& value, std::string label);
    /// A fake on `device` that stands for the constant `value`.
    at::Tensor constantOn(c10::Device device, const at::Tensor& value);
    /// A constant of which only a fake is at hand. `label`: what it had where its values were known.
    void addConstant(const std::string& name, const at::Tensor& fake, std::string label);
    /// Takes those of a subgraph, whose names are its own.
    void adoptConstants(ConstantTable constants) { constants_.merge(constants); }

    using CallArguments = std::pair<std::vector<Argument>, KeywordArguments>;
    CallArguments callArguments(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args);
    /// A call whose results are yet to be bound. Throws Error when the graph becomes too long.
    Node* addCall(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args);
    /// The same for an operator that runs `subgraphs`.
    Node* addCall(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args,
                  std::vector<std::shared_ptr<const Graph>> subgraphs);
    /// The number that `fake`, a single element, holds: read when the graph runs. A fake in its place, which operations
    /// take where they take numbers as tensors.
    at::Tensor addNumber(const at::Tensor& fake);
    void bindResults(Node* call, c10::ArrayRef<c10::IValue> results);
    /// `fake`, too, stands for the value of `node`.
    void bind(Node* node, const at::Tensor& fake);

    /// The node that stands for `value`, a fake; null for everything else.
    Node* nodeOf(const c10::IValue& value) const;
    /// The node that made `tensor` (a fake, below functionalization); a constant node for an ordinary tensor.
    Argument valueOf(const at::Tensor& tensor);

    /// Records that the graph itself overwrites the placeholder `input` by `updated`, a fake: its elements, or its
    /// storage. Later uses of the placeholder still mean its value before.
    void writeBack(const at::Tensor& input, const at::Tensor& updated, bool storage);

    /// Ends the recording. `outputs` are fakes, ordinary tensors, numbers or None.
    std::unique_ptr<Graph> finish(const std::vector<c10::IValue>& outputs, std::vector<OutputSlot> slots);
    /// The same graph, but the recording goes on.
    std::unique_ptr<Graph> snapshot(const std::vector<c10::IValue>& outputs, std::vector<OutputSlot> slots);
    /// Calls the graph `name`, and puts the last `count` nodes, placeholders with memory of their own, behind the first
    /// `inputs`: nodes and memory are numbered as if they had been recorded there.
    void goOnAs(std::string name, std::size_t inputs, std::size_t count);

private:
    Node* addConstant(const at::Tensor& value, TensorType type);
    Node* addItem(Node* tuple, std::int64_t index, const at::Tensor& fake);
    TensorType typeOfFake(const at::Tensor& fake);
    std::vector<Argument> valuesOf(const std::vector<c10::IValue>& outputs);
    void raiseStorages(const std::vector<Node*>& order, std::size_t inputs, std::size_t count);

    std::unique_ptr<Graph> graph_;
    std::string constantPrefix_;
    ConstantTable constants_;
    std::unordered_map<const c10::TensorImpl*, Node*> nodes_;  ///< by the meta tensor of a fake
    std::unordered_map<const c10::StorageImpl*, std::int64_t> storages_;
    std::vector<at::Tensor> keepAlive_;  ///< so that addresses in the maps stay unique
};

}  // namespace aotscope
