#pragma once

#include "aten/random_state.h"
#include "compile/plan.h"

#include <memory>
#include <unordered_map>

namespace aotscope {

/// One graph, run step by step by the interpreter's plan. Every value is kept: nothing is released, nothing reused.
class SteppedGraph {
public:
    /// `gradMode`: as kernels find it, which look whether to keep something for the backward.
    SteppedGraph(std::shared_ptr<const Graph> graph, const ConstantTable& constants, bool gradMode);

    const Graph& graph() const { return *graph_; }
    /// Gives the placeholders their values; everything else is forgotten.
    void start(const std::vector<c10::IValue>& arguments);

    std::size_t steps() const { return plan_.steps.size(); }
    std::size_t next() const { return next_; }
    bool ended() const { return next_ == steps(); }
    /// The operation of a step; null behind the last one.
    const Node* nodeOf(std::size_t step) const;
    /// The nodes that have a value after a step: its own, or the elements of its tuple.
    const std::vector<const Node*>& resultsOf(std::size_t step) const { return results_[step]; }

    /// What a kernel throws leaves everything as it was.
    void execute(RandomState& random);
    void goBackTo(std::size_t step, RandomState& random);

    /// The step before which `node` has no value yet, and after which it has: 0 for inputs. Nothing for a node that has
    /// no value ever.
    std::optional<std::size_t> readyAfter(const Node& node) const;
    /// As it was computed, whatever was written into its memory since; null if it has none yet.
    const c10::IValue* value(const Node& node) const;
    /// Replaces the value of a node that has one. Goes back to where it came to be.
    void setValue(const Node& node, c10::IValue value, RandomState& random);
    /// After the last step.
    std::vector<c10::IValue> outputs() const;

private:
    struct Place {
        Register source = kUnused;
        std::size_t ready = 0;
    };
    /// How things were before a step that draws numbers or writes into memory.
    struct Before {
        std::size_t step = 0;
        std::optional<RandomState> random;
        std::vector<std::pair<Register, c10::IValue>> replaced;
    };

    void keepEverything();
    void findPlaces();
    Before prepare(const PlanStep& step, const RandomState& random);
    void undo(const Before& before);
    const Place* placeOf(const Node& node) const;

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
