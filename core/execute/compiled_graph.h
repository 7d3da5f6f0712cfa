#pragma once

#include "ir/node_attributes.h"

#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

namespace aotscope {

/// Observes a run of a compiled graph. `step` counts the operations that are executed.
class StepObserver {
public:
    virtual ~StepObserver() = default;
    /// The graph's arguments, before the first step.
    virtual void arguments(c10::ArrayRef<c10::IValue>) {}
    virtual void before(std::size_t step) = 0;
    /// The results of a step, unused ones included: one value, or the elements of a tuple or list.
    virtual void results(std::size_t, c10::ArrayRef<c10::IValue>) {}
    virtual void after(std::size_t step) = 0;
};

/// An executable graph. Boxed calling convention: `args` holds one value for each placeholder and is emptied as values
/// are used for the last time, so that their memory is freed early. Thread-safe.
class CompiledGraph {
public:
    virtual ~CompiledGraph() = default;
    virtual std::vector<c10::IValue> run(std::vector<c10::IValue>& args, StepObserver* observer = nullptr) const = 0;
    /// The node that each step executes, for observers; for nodes computed together, the last one.
    virtual const std::vector<NodeId>& steps() const = 0;
    /// Groups of nodes that one kernel computes together.
    virtual std::vector<std::vector<NodeId>> groups() const { return {}; }
    /// What could not be done as requested, and why: one sentence; empty: nothing.
    virtual std::string note() const { return {}; }
    /// The nodes whose values observers get for a step, in that order; empty: its node, or the elements of its tuple.
    virtual std::vector<NodeId> shownBy(std::size_t /*step*/) const { return {}; }
};

}  // namespace aotscope
