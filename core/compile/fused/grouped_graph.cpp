#include "compile/fused/grouped_graph.h"

#include <algorithm>
#include <string>

namespace aotscope {

namespace {

class Rewriting {
public:
    Rewriting(const Graph& graph, const GroupedGraph& grouped)
        : source_(graph), grouped_(grouped), graph_(std::make_unique<Graph>(graph.name())) {
        for (const Node* node : graph.nodes()) nextId_ = std::max(nextId_, node->id() + 1);
    }

    GraphOfGroups run() {
        graph_->setSymbols(source_.symbols());
        for (const GroupedStep& step : grouped_.order) {
            if (!step.node) addGroup(step.group);
            else if (step.node->kind() == NodeKind::output) addOutput();
            else mapped_[step.node] = graph_->copyNode(step.node, [&](Node* n) { return Argument(mapped_.at(n)); });
        }
        return {std::move(graph_), std::move(groupOf_)};
    }

private:
    void addGroup(std::size_t index) {
        const FusionGroup& group = grouped_.groups[index];
        std::vector<Argument> args;
        for (const GroupTensor& input : group.inputs) args.emplace_back(mapped_.at(input.node));
        for (const Node* base : group.bases)
            if (base) args.emplace_back(mapped_.at(base));
        for (const Node* number : group.numbers) args.emplace_back(mapped_.at(number));
        const Node* last = group.outputs.front().node;
        const std::string op = "fused.group." + std::to_string(index);
        if (group.outputs.size() == 1) {
            Node* call = graph_->addCall(op, std::move(args), {}, last->type, last->name());
            identify(call, *last, index);
            mapped_[last] = call;
            return;
        }
        TupleType types;
        for (const GroupTensor& output : group.outputs) types.push_back(output.node->type);
        Node* call = graph_->addCall(op, std::move(args), {}, ValueType{std::move(types)});
        identify(call, *last, index);
        for (std::size_t i = 0; i < group.outputs.size(); ++i) {
            const Node* node = group.outputs[i].node;
            Node* item =
                graph_->addCall("operator.getitem", {call, static_cast<std::int64_t>(i)}, {}, node->type, node->name());
            graph_->setIdentity(item, nextId_++);
            mapped_[node] = item;
        }
    }

    void identify(Node* call, const Node& last, std::size_t index) {
        graph_->setIdentity(call, last.id());
        groupOf_[call] = index;
    }

    void addOutput() {
        std::vector<Argument> values;
        for (const Argument& value : source_.outputs())
            values.push_back(mapNodes(value, [&](Node* n) { return Argument(mapped_.at(n)); }));
        graph_->setOutput(std::move(values), source_.outputSlots());
    }

    const Graph& source_;
    const GroupedGraph& grouped_;
    std::unique_ptr<Graph> graph_;
    std::unordered_map<const Node*, Node*> mapped_;
    std::unordered_map<const Node*, std::size_t> groupOf_;
    NodeId nextId_ = 0;
};

}  // namespace

GraphOfGroups graphOfGroups(const Graph& graph, const GroupedGraph& grouped) { return Rewriting(graph, grouped).run(); }

std::vector<std::vector<NodeId>> idsOf(const GroupedGraph& grouped) {
    std::vector<std::vector<NodeId>> groups;
    for (const FusionGroup& group : grouped.groups) {
        auto& ids = groups.emplace_back();
        for (const Node* node : group.nodes) ids.push_back(node->id());
    }
    return groups;
}

bool isAccumulated(const FusionGroup& group, std::size_t position) {
    for (std::size_t i = 0; i < group.targets.size(); ++i)
        if (group.targets[i] == position && group.kernel.outputs[i].accumulates()) return true;
    return false;
}

std::vector<std::size_t> reusableInputs(const FusionGroup& group, std::size_t position) {
    std::vector<std::size_t> inputs;
    if (!group.kernel.reduced.empty() || isAccumulated(group, position)) return inputs;
    const GroupTensor& output = group.outputs[position];
    const TensorType& type = *output.node->type.tensor();
    for (std::size_t i = 0; i < group.inputs.size(); ++i) {
        const TensorType& input = *group.inputs[i].node->type.tensor();
        if (input.dtype == type.dtype && input.sameLayout(type) && group.inputs[i].indexed.empty() &&
            group.inputs[i].dimensions == output.dimensions)
            inputs.push_back(i);
    }
    return inputs;
}

}  // namespace aotscope
