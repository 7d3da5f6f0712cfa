#pragma once

#include "aten/random_state.h"
#include "debug/isolated_call.h"

#include <memory>
#include <optional>
#include <unordered_map>

namespace aotscope {

/// A graph that is run step by step. All values are kept: nothing is freed or reused.
class SteppedGraph {
public:
    virtual ~SteppedGraph() = default;

    const Graph& graph() const { return *graph_; }
    /// Sets the placeholders and discards all other values. `random`: the RNG state before the first step.
    virtual void start(const std::vector<c10::IValue>& arguments, const RandomState& random) = 0;

    std::size_t steps() const { return steps_.size(); }
    std::size_t next() const { return next_; }
    bool ended() const { return next_ == steps(); }
    /// The operation of a step, the last one if there are several; null after the last step.
    const Node* nodeOf(std::size_t step) const { return step < steps() ? steps_[step].node : nullptr; }
    /// The nodes that may have a value after a step: its own, or the elements of its tuple.
    const std::vector<const Node*>& resultsOf(std::size_t step) const { return steps_[step].results; }
    /// Operations that the same kernel computes, and whose values are never stored.
    const std::vector<const Node*>& insideOf(std::size_t step) const { return steps_[step].inside; }

    /// If a kernel throws, nothing has changed.
    virtual void execute(RandomState& random) = 0;
    virtual void goBackTo(std::size_t step, RandomState& random) = 0;

    /// The step that computes `node`: 0 for inputs. Nothing for a node that is not computed.
    std::optional<std::size_t> readyAfter(const Node& node) const;
    /// The value as computed, before any later write into its memory; null if not computed yet.
    virtual const c10::IValue* value(const Node& node) const = 0;
    /// Whether an executed operation can be run again: it neither writes into memory nor draws random numbers.
    virtual bool canCallAgain(const Node& call) const = 0;
    /// Its results for other operands, by LibTorch's kernel; does not affect the run. Throws what the kernel throws.
    virtual std::vector<c10::IValue> callAgain(const IsolatedCall& call) const = 0;
    /// Replaces the value of a node and goes back to the step after it.
    virtual void setValue(const Node& node, c10::IValue value, RandomState& random) = 0;
    /// Available after the last step.
    virtual std::vector<c10::IValue> outputs() const = 0;
    /// Whether it runs as a whole when started, and steps replay the recorded values.
    virtual bool runsAtOnce() const { return false; }
    /// The deviation from the request, or from running node by node, as a sentence; empty: none.
    virtual std::string note() const { return {}; }

protected:
    struct Step {
        const Node* node = nullptr;
        std::vector<const Node*> results, inside;
    };

    explicit SteppedGraph(std::shared_ptr<const Graph> graph) : graph_(std::move(graph)) {}
    /// Call once steps_ is set.
    void findSteps();
    std::shared_ptr<const Graph> graph_;
    std::vector<Step> steps_;
    std::size_t next_ = 0;

private:
    std::unordered_map<const Node*, std::size_t> ready_;
};

/// The node that holds the value of `node`: for a tuple, its first used element.
const Node& valueNodeOf(const Node& node);

}  // namespace aotscope
