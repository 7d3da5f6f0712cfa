#pragma once

#include "compile/compiler.h"
#include "ir/id_table.h"

#include <functional>

namespace aotscope {

/// Called with the value of every placeholder and call of a running graph, and every element of a tuple.
using ValueSink = std::function<void(const Node& node, const c10::IValue& value)>;

/// Passes a compiled graph's values to a sink, and tracks the current operation.
class ValueObserver final : public StepObserver {
public:
    /// `graph` and `steps` must outlive it.
    ValueObserver(const Graph& graph, const std::vector<NodeId>& steps, ValueSink sink);

    void arguments(c10::ArrayRef<c10::IValue> values) override;
    void before(std::size_t step) override { current_ = nodes_.at(steps_[step]); }
    void results(std::size_t step, c10::ArrayRef<c10::IValue> values) override;
    void after(std::size_t) override { current_ = nullptr; }

    /// The operation that is running or has thrown, or null.
    const Node* current() const { return current_; }
    /// Copies of the graph's arguments.
    const std::vector<c10::IValue>& calledWith() const { return calledWith_; }

private:
    const std::vector<NodeId>& steps_;
    ValueSink sink_;
    std::vector<Node*> placeholders_;
    NodesById nodes_;  ///< without a backend's own steps
    const Node* current_ = nullptr;
    std::vector<c10::IValue> calledWith_;
};

/// The outcome of running one graph in isolation.
struct GraphRun {
    std::vector<c10::IValue> outputs;
    std::vector<c10::IValue> arguments;  ///< after the run
    std::string error;                   ///< empty if it ran to its end
    const Node* failed = nullptr;
};

/// Runs `graph` on copies of `arguments`. `sink` may be null.
GraphRun runGraph(const Graph& graph, const ConstantTable& constants, const std::vector<c10::IValue>& arguments,
                  const ValueSink& sink);

}  // namespace aotscope
