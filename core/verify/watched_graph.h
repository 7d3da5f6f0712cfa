#pragma once

#include "aten/random_state.h"
#include "compile/compiler.h"
#include "passes/pipeline.h"

#include <map>
#include <optional>
#include <unordered_map>

namespace aotscope {

/// What one kernel of a compiled graph computes.
struct WatchedStep {
    NodeId node = kNoNode;        ///< the last one
    std::vector<NodeId> results;  ///< nodes whose values are seen, in the order of the graph; elements of tuples
    std::vector<NodeId> inside;   ///< calls besides `node` whose values are in no memory
};

/// A run of a compiled graph.
struct WatchedRun {
    std::unordered_map<NodeId, c10::IValue> values;  ///< of calls, as far as they are seen
    std::vector<c10::IValue> outputs;
    std::string error;        ///< empty: it ran to its end
    NodeId failed = kNoNode;  ///< the step that failed, if that is seen
    std::optional<RandomState> after;
};

/// A graph as its compiler runs it, with the values within. They are those that the compiler shows to observers, if
/// these fit together with what the graph returns when nobody looks. Else the graph is compiled once more, with all
/// values among its outputs; and where that changes what it returns, only its outputs are seen.
class WatchedGraph {
public:
    /// `compiled` is `graph` as `compiler` made it executable. `gradMode`: the grad mode that kernels see.
    WatchedGraph(std::shared_ptr<const Graph> graph, ConstantTable constants, std::shared_ptr<const Compiler> compiler,
                 std::shared_ptr<const CompiledGraph> compiled, bool gradMode);

    /// Values in place of those that nodes have.
    using Edits = std::map<NodeId, c10::IValue>;
    /// A failing kernel is not an exception. The first run decides how values are seen. `edits`: of nodes that have a
    /// value; the graph is compiled with inputs in their places. Throws Cancelled.
    WatchedRun run(const std::vector<c10::IValue>& arguments, const RandomState& start, const Edits& edits = {});

    const Graph& graph() const { return *graph_; }
    std::vector<WatchedStep> steps() const;
    /// How values are seen where the compiler does not show them, and what it could not do: sentences; empty: nothing.
    std::string note() const;

private:
    enum class Seen : std::uint8_t { bySteps, asOutputs, atTheEnd };
    /// The graph, or one with edited values.
    struct Variant {
        std::shared_ptr<const Graph> graph;
        std::shared_ptr<const CompiledGraph> compiled;
        std::vector<const Node*> replaced;  ///< nodes of the graph, by inputs behind its own
    };

    std::vector<WatchedStep> compiledSteps() const;
    std::vector<WatchedStep> wholeAsStep() const;
    Variant variantFor(const Edits& edits) const;
    std::vector<c10::IValue> withEdits(std::vector<c10::IValue> arguments, const Variant& variant,
                                       const Edits& edits) const;
    WatchedRun look(const Variant& variant, const std::vector<c10::IValue>& arguments, const RandomState& start,
                    const WatchedRun& whole);
    WatchedRun execute(const CompiledGraph& compiled, const std::vector<c10::IValue>& arguments,
                       const RandomState& start, StepObserver* observer) const;
    WatchedRun lookAtSteps(const Variant& variant, const std::vector<c10::IValue>& arguments,
                           const RandomState& start) const;
    WatchedRun lookAtOutputs(const Variant& variant, const std::vector<c10::IValue>& arguments,
                             const RandomState& start) const;
    bool isSame(const Variant& variant, const WatchedRun& seen, const WatchedRun& whole,
                const std::vector<c10::IValue>& arguments, const RandomState& start) const;

    std::shared_ptr<const Graph> graph_;
    ConstantTable constants_;
    std::shared_ptr<const Compiler> compiler_;
    std::shared_ptr<const CompiledGraph> compiled_;
    bool gradMode_, writes_ = false;
    bool copies_;  ///< what observers are shown: it may be memory that is used again
    bool decided_ = false;
    Seen seen_ = Seen::bySteps;
};

/// The forward, backward or inference graph of a compiled function.
WatchedGraph watchedHalf(const Compilation& compilation, GraphKind kind);

}  // namespace aotscope
