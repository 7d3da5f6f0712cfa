#pragma once

#include "aten/random_state.h"
#include "compile/plan.h"
#include "debug/isolated_call.h"

#include <memory>
#include <unordered_map>

namespace aotscope {

/// A graph that is run step by step with the interpreter's plan. All values are kept: nothing is freed or reused.
class SteppedGraph {
public:
    /// `gradMode`: the grad mode that kernels see; some check it to decide whether to keep something for the backward.
    SteppedGraph(std::shared_ptr<const Graph> graph, const ConstantTable& constants, bool gradMode);

    const Graph& graph() const { return *graph_; }
    /// Sets the placeholders and discards all other values.
    void start(const std::vector<c10::IValue>& arguments);

    std::size_t steps() const { return plan_.steps.size(); }
    std::size_t next() const { return next_; }
    bool ended() const { return next_ == steps(); }
    /// The operation of a step; null after the last one.
    const Node* nodeOf(std::size_t step) const;
    /// The nodes that have a value after a step: its own, or the elements of its tuple.
    const std::vector<const Node*>& resultsOf(std::size_t step) const { return results_[step]; }

    /// If a kernel throws, nothing has changed.
    void execute(RandomState& random);
    void goBackTo(std::size_t step, RandomState& random);

    /// The step that computes `node`: 0 for inputs. Nothing for a node that never has a value.
    std::optional<std::size_t> readyAfter(const Node& node) const;
    /// The value as computed, before any later write into its memory; null if there is none yet.
    const c10::IValue* value(const Node& node) const;
    /// Whether an executed operation can be run again: it writes into nothing and draws no numbers.
    bool canCallAgain(const Node& call) const;
    /// Its results for other operands; leaves no trace in the run. Throws what the kernel throws.
    std::vector<c10::IValue> callAgain(const IsolatedCall& call) const;
    /// Replaces the value of a node and goes back to the step after it.
    void setValue(const Node& node, c10::IValue value, RandomState& random);
    /// After the last step.
    std::vector<c10::IValue> outputs() const;

private:
    struct Place {
        Register source = kUnused;
        std::size_t ready = 0;
    };
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
    const Place* placeOf(const Node& node) const;
    /// Of a call; as many as there are for any other node.
    std::size_t stepOf(const Node& call) const;

    std::shared_ptr<const Graph> graph_;
    Plan plan_;
    bool gradMode_;
    std::unordered_map<NodeId, Place> places_;
    std::vector<const Node*> nodes_;                 ///< by step
    std::vector<std::vector<const Node*>> results_;  ///< by step
    std::vector<c10::IValue> registers_;
    std::vector<Before> tape_;
    std::size_t next_ = 0;
};

}  // namespace aotscope
