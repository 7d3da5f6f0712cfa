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

/// A graph being recorded, and which of its nodes each fake tensor represents.
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
    /// An input that is not a tensor: a number, a boolean, a string or None.
    Node* addValuePlaceholder(std::string_view name, const c10::IValue& value, std::string label);
    /// A fake tensor on `device` that represents the constant `value`.
    at::Tensor constantOn(c10::Device device, const at::Tensor& value);
    /// A constant known only as a fake tensor. `label`: its label where its values were known.
    void addConstant(const std::string& name, const at::Tensor& fake, std::string label);
    /// Takes the constants of a subgraph, whose names are its own.
    void adoptConstants(ConstantTable constants) { constants_.merge(constants); }

    using CallArguments = std::pair<std::vector<Argument>, KeywordArguments>;
    CallArguments callArguments(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args);
    /// A call whose results are bound later. Throws Error if the graph becomes too long.
    Node* addCall(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args);
    /// The same for an operator that runs `subgraphs`.
    Node* addCall(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args,
                  std::vector<std::shared_ptr<const Graph>> subgraphs);
    /// Adds the number in `fake`, a single element, which is read at run time. Returns a fake tensor for it, which
    /// operations accept where they take numbers as tensors.
    at::Tensor addNumber(const at::Tensor& fake);
    void bindResults(Node* call, c10::ArrayRef<c10::IValue> results);
    /// Makes `fake` represent the value of `node`, too.
    void bind(Node* node, const at::Tensor& fake);

    /// The node that `value`, a fake tensor, represents; null for everything else.
    Node* nodeOf(const c10::IValue& value) const;
    /// The node that computed `tensor` (a fake one, below functionalization); a constant node for an ordinary tensor.
    Argument valueOf(const at::Tensor& tensor);

    /// Records that the graph itself overwrites the placeholder `input` by `updated`, a fake tensor: its elements, or
    /// its storage. Later uses of the placeholder still mean its old value.
    void writeBack(const at::Tensor& input, const at::Tensor& updated, bool storage);

    /// Ends the recording. `outputs` are fake or ordinary tensors, numbers or None.
    std::unique_ptr<Graph> finish(const std::vector<c10::IValue>& outputs, std::vector<OutputSlot> slots);
    /// The same graph, but the recording continues.
    std::unique_ptr<Graph> snapshot(const std::vector<c10::IValue>& outputs, std::vector<OutputSlot> slots);
    /// Renames the graph to `name`, and moves the last `count` nodes, placeholders with separate memory, after the
    /// first `inputs`: nodes and storages are numbered as if they had been recorded there.
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
    std::unordered_map<const c10::TensorImpl*, Node*> nodes_;  ///< by the meta tensor of a fake tensor
    std::unordered_map<const c10::StorageImpl*, std::int64_t> storages_;
    // Addresses in the maps stay unique. A tensor can exchange its storage.
    std::vector<at::Tensor> keepAlive_;
    std::vector<c10::Storage> keptStorages_;
};

}  // namespace aotscope
