#include "partition/extract.h"

#include "ops/classify.h"
#include "ops/op_table.h"
#include "ops/repeated_draws.h"
#include "partition/half_graph.h"
#include "record/partition_figures.h"
#include "support/error.h"

#include <algorithm>
#include <functional>
#include <future>
#include <set>

namespace aotscope {

namespace {

/// Random operations of the forward stay there even if unused, so that both graphs draw the same numbers as the
/// program; a backward that repeats one draws them again. Operations with effects stay where they were traced.
Part partFrom(const JointFacts& facts, Stage stage, const std::vector<HalfInput>& inputs,
              const std::vector<Argument>& outputs) {
    Part part;
    part.given.resize(facts.size());
    part.needed.resize(facts.size());
    for (const HalfInput& input : inputs) part.given[input.node] = true;
    std::vector<bool> available = part.given;
    for (int i = 0; i < facts.size(); ++i) {
        const NodeKind kind = facts.node(i)->kind();
        if (kind != NodeKind::call && kind != NodeKind::constant) continue;
        const auto from = facts.inputs(i);
        if (std::all_of(from.begin(), from.end(), [&](int input) { return available[input]; })) available[i] = true;
    }
    for (const auto& output : outputs)
        forEachNode(output, [&](const Node* node) {
            const int i = facts.indexOf(node);
            check(available[i],
                  "%" + node->name() + " cannot be computed in the " + std::string(name(stage)) + " graph");
            part.needed[i] = true;
        });
    for (int i = facts.size() - 1; i >= 0; --i) {
        const bool kept = facts[i].writes || (facts[i].random && stage == Stage::forward);
        if (kept && available[i] && facts.node(i)->stage == stage) part.needed[i] = true;
        if (part.has(i))
            for (int input : facts.inputs(i)) part.needed[input] = true;
    }
    for (int i = 0; i < facts.size(); ++i)
        if (part.has(i)) part.order.push_back(i);
    return part;
}

/// Recomputes as late as possible: from the first use of a tangent on, each node is preceded only by its missing
/// ancestors, as in the autograd engine.
void orderLikeAutograd(const JointFacts& facts, const std::vector<Argument>& outputs, Part& part) {
    const auto first = std::find_if(part.order.begin(), part.order.end(), [&](int i) {
        const auto from = facts.inputs(i);
        return std::any_of(from.begin(), from.end(), [&](int input) { return facts[input].tangent; });
    });
    if (first == part.order.end()) return;
    std::vector<int> order;
    std::vector<bool> placed = part.given;
    const auto placeWithAncestors = [&](int node) {
        std::vector<int> pending{node}, missing;
        while (!pending.empty()) {
            const int i = pending.back();
            pending.pop_back();
            if (placed[i]) continue;
            placed[i] = true;
            missing.push_back(i);
            for (int input : facts.inputs(i)) pending.push_back(input);
        }
        std::sort(missing.begin(), missing.end());  // original order
        order.insert(order.end(), missing.begin(), missing.end());
    };
    std::for_each(first, part.order.end(), placeWithAncestors);
    // Gradients that do not depend on a tangent come last.
    for (const auto& output : outputs)
        forEachNode(output, [&](const Node* node) { placeWithAncestors(facts.indexOf(node)); });
    part.order = std::move(order);
}

/// Moves every getitem directly after the node that computes its tuple, so that the rest of the tuple is freed early.
void raiseGetitems(const JointFacts& facts, Part& part) {
    std::vector<std::vector<int>> items(facts.size());
    for (int i : part.order)
        if (facts[i].getitem) items[facts.inputs(i)[0]].push_back(i);
    std::vector<int> order;
    const std::function<void(int)> place = [&](int node) {
        order.push_back(node);
        for (int item : items[node]) place(item);
    };
    for (int i : part.order)
        if (!facts[i].getitem || part.given[facts.inputs(i)[0]]) place(i);
    part.order = std::move(order);
}

bool overwrites(const Node& node) { return node.kind() == NodeKind::call && isMutating(node.op()); }

NodeId unusedId(const Graph& graph) {
    NodeId last = kNoNode;
    for (const Node* node : graph.nodes()) last = std::max(last, node->id());
    return last + 1;
}

/// The value that a mutation writes to; null if it is not the first argument.
const Node* targetOf(const Node& write) { return write.args().empty() ? nullptr : write.args()[0].node(); }

/// Whether the backward writes to the value with this id itself, and not to a copy.
bool isOverwrittenInBackward(const Graph& joint, NodeId id) {
    const Node* value = joint.findById(id);
    return value && std::ranges::any_of(value->users(), [&](const Node* user) {
               return user->stage == Stage::backward && overwrites(*user) && targetOf(*user) == value;
           });
}

/// Copies outputs of `forward` from `firstSaved` on that view an input before the graph overwrites it. All writes come
/// last: other readers need the old values of those inputs.
void copyBeforeOverwriting(Graph& forward, std::size_t firstSaved, const Graph& joint) {
    std::vector<Node*> order, writes;
    std::set<std::int64_t> overwritten;
    for (Node* node : forward.nodes()) {
        if (node->kind() == NodeKind::output) continue;
        (overwrites(*node) ? writes : order).push_back(node);
        if (!overwrites(*node)) continue;
        const Node* target = targetOf(*node);
        if (const TensorType* type = target ? target->type.tensor() : nullptr) overwritten.insert(type->storage);
    }
    if (writes.empty()) return;
    Node* output = forward.output();
    NodeId nextId = std::max(unusedId(joint), unusedId(forward));
    std::vector<Argument> outputs = forward.outputs();
    for (std::size_t i = firstSaved; i < outputs.size(); ++i) {
        Node* value = outputs[i].node();
        const TensorType* type = value ? value->type.tensor() : nullptr;
        if (!type || !overwritten.contains(type->storage) || isOverwrittenInBackward(joint, value->id())) continue;
        Node* copy = forward.addCall("aten.clone.default", {value}, {}, value->type);
        forward.setIdentity(copy, nextId++);
        copy->type.tensor()->storage = -1;
        copy->source = value->source;
        order.push_back(copy);
        outputs[i] = copy;
    }
    forward.setArguments(output, std::move(outputs));
    order.insert(order.end(), writes.begin(), writes.end());
    order.push_back(output);
    forward.reorder(order);
}

/// Storages of the inputs of `forward` and of its outputs for the caller.
std::set<std::int64_t> visibleStorages(const Graph& forward, std::size_t returned) {
    std::set<std::int64_t> storages;
    const auto note = [&](const Node* node) {
        if (const TensorType* type = node ? node->type.tensor() : nullptr) storages.insert(type->storage);
    };
    for (const Node* node : forward.placeholders()) note(node);
    for (std::size_t i = 0; i < returned; ++i) note(forward.outputs()[i].node());
    return storages;
}

SavedValue describeSaved(const Node* node) {
    SavedValue value;
    value.node = node->id();
    value.name = node->name();
    value.op = node->kind() == NodeKind::call          ? node->op()
               : node->kind() == NodeKind::placeholder ? "placeholder"
                                                       : "constant";
    value.label = node->label;
    if (const auto* tensor = node->type.tensor()) value.type = *tensor;
    else value.type.dtype = DType::i64;  // a size
    value.kind = node->type.scalar() ? SavedValue::Kind::symint
                 : isPrimal(*node)   ? SavedValue::Kind::input
                                     : SavedValue::Kind::activation;
    return value;
}

/// The inputs and outputs of the two graphs.
struct Border {
    std::vector<HalfInput> forwardInputs, backwardInputs;
    std::vector<Argument> forwardOutputs, gradients;
    std::vector<OutputSlot> forwardSlots, gradientSlots;
    std::vector<int> saved;  ///< tensors, then symints
};

Border borderAt(const JointFacts& facts, const std::vector<int>& saved) {
    Border border;
    std::vector<HalfInput> tangents;
    for (int i = 0; i < facts.size(); ++i)
        if (facts.node(i)->kind() == NodeKind::placeholder)
            (facts[i].tangent ? tangents : border.forwardInputs).push_back({i, facts.node(i)->role});
    const auto split = static_cast<std::ptrdiff_t>(facts.joint().forwardOutputCount());
    const auto& all = facts.joint().outputs();
    const auto& slots = facts.joint().outputSlots();
    border.forwardOutputs.assign(all.begin(), all.begin() + split);
    border.gradients.assign(all.begin() + split, all.end());
    border.forwardSlots.assign(slots.begin(), slots.begin() + split);
    border.gradientSlots.assign(slots.begin() + split, slots.end());

    std::vector<HalfInput> candidates;
    for (int i : saved) candidates.push_back({i, facts.node(i)->type.scalar() ? Role::savedSymint : Role::saved});
    std::vector<HalfInput> trial = candidates;
    trial.insert(trial.end(), tangents.begin(), tangents.end());
    const Part backward = partFrom(facts, Stage::backward, trial, border.gradients);
    std::erase_if(candidates, [&](const HalfInput& input) { return !backward.needed[input.node]; });
    for (const Role role : {Role::saved, Role::savedSymint})
        for (const HalfInput& input : candidates) {
            if (input.role != role) continue;
            border.saved.push_back(input.node);
            border.forwardOutputs.emplace_back(facts.node(input.node));
            border.forwardSlots.push_back({role, facts.node(input.node)->name()});
        }
    for (const Role role : {Role::savedSymint, Role::saved})
        for (const HalfInput& input : candidates)
            if (input.role == role) border.backwardInputs.push_back(input);
    border.backwardInputs.insert(border.backwardInputs.end(), tangents.begin(), tangents.end());
    return border;
}

std::int64_t unusedStorage(const Graph& graph) {
    std::int64_t last = -1;
    for (const Node* node : graph.nodes()) {
        if (const TensorType* type = node->type.tensor()) last = std::max(last, type->storage);
        if (const TupleType* elements = node->type.tuple())
            for (const ValueType& element : *elements)
                if (const TensorType* type = element.tensor()) last = std::max(last, type->storage);
    }
    return last + 1;
}

/// Random operations that run in both graphs.
std::vector<RepeatedDraw> repeatedDraws(const JointFacts& facts, const Part& forward, const Part& backward) {
    std::vector<RepeatedDraw> draws;
    for (int i = 0; i < facts.size(); ++i)
        if (facts[i].random && forward.has(i) && backward.has(i)) draws.push_back({i, kNoNode, -1});
    if (draws.empty()) return draws;
    NodeId id = unusedId(facts.joint());
    std::int64_t storage = unusedStorage(facts.joint());
    for (RepeatedDraw& draw : draws) {
        draw.state = id++;
        draw.storage = storage++;
    }
    return draws;
}

SavedValue describeState(const JointFacts& facts, const RepeatedDraw& draw) {
    SavedValue value;
    value.node = draw.state;
    value.name = nameOfState(facts, draw);
    value.op = kRngState;
    value.type = typeOfState(facts, draw);
    value.reason = "the backward draws the numbers of %" + facts.node(draw.node)->name() + " again";
    value.donated = true;
    return value;
}

void notePlacements(const JointFacts& facts, const Part& forward, const Part& backward, const std::vector<int>& saved,
                    std::vector<ValueDecision>& decisions) {
    using Placement = ValueDecision::Placement;
    for (int i = 0; i < facts.size(); ++i) {
        const bool again = facts[i].call && forward.has(i) && backward.has(i);
        decisions[i].placement = again                       ? Placement::recomputed
                                 : !facts[i].requiredForward ? Placement::backwardOnly
                                                             : Placement::forwardOnly;
    }
    for (int i : saved) decisions[i].placement = Placement::saved;
    std::erase_if(decisions, [&](const ValueDecision& d) { return d.node == facts.joint().output()->id(); });
}

}  // namespace

Partition buildPartition(const JointFacts& facts, const std::vector<int>& saved, PartitionAlgorithm algorithm,
                         std::vector<ValueDecision> decisions) {
    Border border = borderAt(facts, saved);
    Part forward = partFrom(facts, Stage::forward, border.forwardInputs, border.forwardOutputs);
    Part backward = partFrom(facts, Stage::backward, border.backwardInputs, border.gradients);
    const bool checkpointed =
        std::ranges::find(decisions, Exemption::checkpointed, &ValueDecision::exemption) != decisions.end();
    if (algorithm != PartitionAlgorithm::defaultPartition || checkpointed)
        orderLikeAutograd(facts, border.gradients, backward);
    raiseGetitems(facts, forward);
    raiseGetitems(facts, backward);

    const std::size_t returned = facts.joint().forwardOutputCount();
    const std::vector<RepeatedDraw> draws = repeatedDraws(facts, forward, backward);
    // A small graph is built faster than a thread is started.
    constexpr std::size_t kManyNodes = 200;
    auto secondHalf = std::async(backward.order.size() < kManyNodes ? std::launch::deferred : std::launch::async, [&] {
        return buildHalf(facts,
                         {Stage::backward, std::move(border.backwardInputs), backward, border.gradients,
                          std::move(border.gradientSlots)},
                         draws);
    });
    auto firstHalf = buildHalf(facts,
                               {Stage::forward, std::move(border.forwardInputs), forward, border.forwardOutputs,
                                std::move(border.forwardSlots)},
                               draws);
    copyBeforeOverwriting(*firstHalf, returned, facts.joint());
    const std::set<std::int64_t> visible = visibleStorages(*firstHalf, returned);
    Partition partition;
    partition.algorithm = algorithm;
    partition.forward = std::move(firstHalf);
    partition.backward = secondHalf.get();
    for (int i : border.saved) {
        decisions[i].placement = ValueDecision::Placement::saved;
        SavedValue value = describeSaved(facts.node(i));
        value.reason = reasonOf(decisions[i]);
        value.donated = value.kind == SavedValue::Kind::activation && !visible.contains(value.type.storage);
        partition.saved.push_back(std::move(value));
    }
    for (const RepeatedDraw& draw : draws) {
        const auto sizes = std::ranges::find(partition.saved, SavedValue::Kind::symint, &SavedValue::kind);
        partition.saved.insert(sizes, describeState(facts, draw));
    }
    for (int i : backward.order)
        if (facts[i].call && forward.has(i)) partition.recomputed.push_back(recomputedValue(*facts.node(i)));
    notePlacements(facts, forward, backward, border.saved, decisions);
    partition.decisions = std::move(decisions);
    return partition;
}

}  // namespace aotscope
