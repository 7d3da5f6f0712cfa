#include "passes/step_partition.h"

#include "execute/planned_subgraph.h"
#include "load/printed/syntax/roles.h"
#include "partition/partition_joint.h"
#include "passes/passes.h"
#include "program/joint_function.h"
#include "support/error.h"
#include "trace/subgraph_trace.h"

#include <algorithm>

namespace aotscope {

namespace {

/// A function with only some of its results.
class SomeResults final : public SubgraphFunction {
public:
    SomeResults(c10::IValue function, std::vector<std::size_t> kept)
        : function_(std::move(function)), kept_(std::move(kept)) {}

    const std::vector<std::shared_ptr<const SourceInfo>>& locations() const override {
        return subgraphFunction(function_)->locations();
    }
    TensorVector run(const TensorVector& operands, LocationSink* sink) const override {
        const TensorVector all = subgraphFunction(function_)->run(operands, sink);
        TensorVector results;
        for (const std::size_t i : kept_) results.push_back(all.at(i));
        return results;
    }

private:
    c10::IValue function_;
    std::vector<std::size_t> kept_;
};

/// The results of `step` that have tangents, and the number of all results.
std::pair<std::vector<TensorShape>, std::size_t> tangentsOf(const c10::IValue& step,
                                                            const std::vector<TensorShape>& operands, Dialect dialect) {
    const SubgraphTrace forward = traceSubgraph(*subgraphFunction(step), operands, "step", dialect);
    std::vector<TensorShape> tangents;
    for (const TensorShape& output : forward.outputs)
        if (c10::isFloatingType(output.dtype) || c10::isComplexType(output.dtype)) tangents.push_back(output);
    return {tangents, forward.outputs.size()};
}

/// Sets the roles of placeholders and results and the stages of nodes in a traced joint graph.
void describeJoint(Graph& joint, std::size_t operands, std::size_t results) {
    const auto placeholders = joint.placeholders();
    for (std::size_t i = 0; i < placeholders.size(); ++i)
        placeholders[i]->role = i < operands ? Role::userInput : Role::tangent;
    std::vector<OutputSlot> slots;
    for (std::size_t i = 0; i < joint.outputs().size(); ++i)
        slots.push_back({i < results ? Role::userOutput : Role::gradient, {}});
    std::vector<Argument> outputs = joint.outputs();
    joint.eraseIf([](const Node* node) { return node->kind() == NodeKind::output; });
    joint.setOutput(std::move(outputs), std::move(slots));
    setStages(joint, results);
}

}  // namespace

SplitStep StepPartitioner::split(const c10::IValue& step, const std::vector<TensorShape>& operands,
                                 const std::vector<bool>& wanted) const {
    const auto [tangents, results] = tangentsOf(step, operands, dialect_);
    std::vector<TensorShape> inputs = operands;
    inputs.insert(inputs.end(), tangents.begin(), tangents.end());
    const JointFunction function(step, operands.size(), wanted, JointFunction::Returns::forwardAndGradients);
    SubgraphTrace joint = traceSubgraph(function, inputs, "joint step", dialect_);
    describeJoint(*joint.graph, operands.size(), results);
    eliminateDeadCode(*joint.graph);
    std::vector<std::pair<NodeId, NodeId>> merged;
    eliminateCommonSubexpressions(*joint.graph, merged);
    const Partition partition = partitionByMinCut(*joint.graph, {});
    check(partition.backward != nullptr, "a step with tangents has a backward");

    SplitStep split;
    std::vector<std::size_t> kept;
    const auto placeholders = partition.forward->placeholders();
    for (std::size_t i = 0; i < partition.forward->outputs().size(); ++i) {
        const Node* node = partition.forward->outputs()[i].node();
        const auto operand = std::find(placeholders.begin(), placeholders.end(), node);
        const bool saved = partition.forward->outputSlots()[i].role == Role::saved;
        const bool given = saved && operand != placeholders.end();
        if (saved) split.saved.emplace_back();
        if (given) split.saved.back() = static_cast<std::size_t>(operand - placeholders.begin());
        else kept.push_back(i);
    }
    split.forward = toIValue(c10::make_intrusive<SomeResults>(planSubgraph(*partition.forward, joint.constants), kept));
    split.backward = planSubgraph(*partition.backward, joint.constants);
    return split;
}

}  // namespace aotscope
