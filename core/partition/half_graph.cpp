#include "partition/half_graph.h"

#include "ops/repeated_draws.h"

#include <algorithm>
#include <functional>

namespace aotscope {

namespace {

class Builder {
public:
    Builder(const JointFacts& facts, Half half, const std::vector<RepeatedDraw>& draws)
        : facts_(facts), half_(std::move(half)), copies_(static_cast<std::size_t>(facts.size())) {
        for (const RepeatedDraw& draw : draws) states_.push_back({draw, nullptr});
    }

    std::unique_ptr<Graph> run() {
        graph_->setSymbols(facts_.joint().symbols());
        addInputs();
        for (const int i : half_.part.order) add(i);
        std::vector<Argument> outputs;
        for (const auto& output : half_.outputs) outputs.push_back(mapNodes(output, copyOf_));
        if (forward()) returnStates(outputs);
        graph_->setIdentity(graph_->setOutput(std::move(outputs), std::move(half_.slots)),
                            facts_.joint().output()->id());
        return std::move(graph_);
    }

private:
    struct State {
        RepeatedDraw draw;
        Node* node;
    };

    bool forward() const { return half_.stage == Stage::forward; }
    Node*& copy(int i) { return copies_[static_cast<std::size_t>(i)]; }

    void addInputs() {
        const auto firstTangent = std::ranges::find(half_.inputs, Role::tangent, &HalfInput::role);
        std::for_each(half_.inputs.begin(), firstTangent, [this](const HalfInput& input) { addInput(input); });
        if (!forward()) takeStates();
        std::for_each(firstTangent, half_.inputs.end(), [this](const HalfInput& input) { addInput(input); });
    }

    void addInput(const HalfInput& input) {
        const Node* node = facts_.node(input.node);
        Node* added = graph_->addPlaceholder(node->name(), node->type, input.role,
                                             node->label.empty() ? node->name() : node->label);
        keepFacts(added, *node);
        copy(input.node) = added;
    }

    /// Copies attributes of the joint graph's node to its copy `made`.
    void keepFacts(Node* made, const Node& original) {
        graph_->setIdentity(made, original.id());
        made->stage = original.stage;
        made->source = original.source;
        made->autograd = original.autograd;
        made->checkpoint = original.checkpoint;
    }

    void takeStates() {
        for (State& state : states_) {
            const std::string name = nameOfState(facts_, state.draw);
            state.node = graph_->addPlaceholder(name, {typeOfState(facts_, state.draw)}, Role::saved, name);
            graph_->setIdentity(state.node, state.draw.state);
        }
    }

    void add(int i) {
        const auto state = std::ranges::find(states_, i, [](const State& s) { return s.draw.node; });
        const Node* node = facts_.node(i);
        if (state == states_.end()) {
            copy(i) = graph_->copyNode(node, copyOf_);
        } else if (forward()) {
            saveState(*state);
            copy(i) = graph_->copyNode(node, copyOf_);
        } else {
            copy(i) = drawAgain(*state);
        }
    }

    void saveState(State& state) {
        const Node* draw = facts_.node(state.draw.node);
        state.node = graph_->addCall(std::string(kRngState), {deviceOfDraw(*draw)}, {},
                                     {typeOfState(facts_, state.draw)}, nameOfState(facts_, state.draw));
        graph_->setIdentity(state.node, state.draw.state);
        state.node->source = draw->source;
    }

    Node* drawAgain(const State& state) {
        const Node* draw = facts_.node(state.draw.node);
        std::vector<Argument> arguments{state.node, draw->op()};
        for (const Argument& argument : draw->args()) arguments.push_back(mapNodes(argument, copyOf_));
        KeywordArguments keywords;
        for (const auto& [key, argument] : draw->kwargs()) keywords.emplace_back(key, mapNodes(argument, copyOf_));
        Node* again = graph_->addCall(std::string(kRunWithRngState), std::move(arguments), std::move(keywords),
                                      draw->type, draw->name());
        keepFacts(again, *draw);
        again->label = draw->label;
        return again;
    }

    /// After the saved tensors, before the saved symints.
    void returnStates(std::vector<Argument>& outputs) {
        auto slot = std::ranges::find(half_.slots, Role::savedSymint, &OutputSlot::role) - half_.slots.begin();
        for (const State& state : states_) {
            outputs.insert(outputs.begin() + slot, state.node);
            half_.slots.insert(half_.slots.begin() + slot, {Role::saved, state.node->name()});
            ++slot;
        }
    }

    const JointFacts& facts_;
    Half half_;
    std::vector<State> states_;
    std::vector<Node*> copies_;  ///< by node of the joint graph
    const std::function<Argument(const Node*)> copyOf_ = [this](const Node* node) {
        return Argument(copy(facts_.indexOf(node)));
    };
    std::unique_ptr<Graph> graph_ = std::make_unique<Graph>(forward() ? "forward" : "backward");
};

}  // namespace

std::unique_ptr<Graph> buildHalf(const JointFacts& facts, Half half, const std::vector<RepeatedDraw>& draws) {
    return Builder(facts, std::move(half), draws).run();
}

std::string nameOfState(const JointFacts& facts, const RepeatedDraw& draw) {
    return "rng_state_of_" + facts.node(draw.node)->name();
}

TensorType typeOfState(const JointFacts& facts, const RepeatedDraw& draw) {
    const bool cpu = deviceOfDraw(*facts.node(draw.node)).name.starts_with("cpu");
    TensorType type;
    type.dtype = DType::u8;
    type.sizes = {cpu ? kCpuStateBytes : kDeviceStateBytes};
    type.strides = {1};
    type.storage = draw.storage;
    type.storageBytes = type.bytes();
    return type;
}

}  // namespace aotscope
