#pragma once

#include "debug/stepped_graph.h"
#include "execute/plan.h"

namespace aotscope {

/// A graph that the interpreter runs: its plan, step by step.
class InterpretedSteps final : public SteppedGraph {
public:
    /// `gradMode`: the grad mode of kernels; some use it to decide whether to keep something for the backward. `note`:
    /// why the interpreter runs the graph, if it was not requested.
    InterpretedSteps(std::shared_ptr<const Graph> graph, const ConstantTable& constants, bool gradMode,
                     std::string note = {});

    void start(const std::vector<c10::IValue>& arguments, const RandomState& random) override;
    void execute(RandomState& random) override;
    void goBackTo(std::size_t step, RandomState& random) override;
    const c10::IValue* value(const Node& node) const override;
    bool canCallAgain(const Node& call) const override;
    /// Whether it neither writes into memory nor draws random numbers.
    bool isPure(const Node& call) const;
    std::vector<c10::IValue> callAgain(const IsolatedCall& call) const override;
    void setValue(const Node& node, c10::IValue value, RandomState& random) override;
    std::vector<c10::IValue> outputs() const override;
    std::string note() const override { return note_; }

private:
    /// The state before a step that draws random numbers or writes into memory.
    struct Before {
        std::size_t step = 0;
        std::optional<RandomState> random;
        std::vector<std::pair<Register, c10::IValue>> replaced;
    };

    void runKernel(const PlanStep& step, std::vector<c10::IValue>& registers, torch::jit::Stack& stack) const;
    void keepEverything();
    void findPlaces();
    Before prepare(const PlanStep& step, const RandomState& random);
    void undo(const Before& before);
    /// kUnused for a node that never has a value.
    Register placeOf(const Node& node) const;
    /// The step of a call; the number of steps for any other node.
    std::size_t stepOf(const Node& call) const;

    Plan plan_;
    bool gradMode_;
    std::string note_;
    std::unordered_map<const Node*, Register> places_;
    std::vector<c10::IValue> registers_;
    std::vector<Before> tape_;
};

}  // namespace aotscope
