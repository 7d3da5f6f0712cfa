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
    std::vector<NodeId> results;  ///< nodes whose values are visible, in graph order, including elements of tuples
    std::vector<NodeId> inside;   ///< calls besides `node` whose values are never stored
};

/// A run of a compiled graph.
struct WatchedRun {
    std::unordered_map<NodeId, c10::IValue> values;  ///< of calls, as far as visible
    std::vector<c10::IValue> outputs;
    std::string error;        ///< empty if it ran to its end
    NodeId failed = kNoNode;  ///< the step that failed, if known
    std::optional<RandomState> after;
};

/// A graph as run by its compiler, with its intermediate values. They are those that the compiler shows to observers,
/// if these are consistent with the results of an unobserved run. Otherwise the graph is compiled again with all values
/// as outputs; if that changes its results, only its outputs are visible.
class WatchedGraph {
public:
    /// `compiled` is `graph` compiled by `compiler`. `gradMode`: the grad mode of kernels.
    WatchedGraph(std::shared_ptr<const Graph> graph, ConstantTable constants, std::shared_ptr<const Compiler> compiler,
                 std::shared_ptr<const CompiledGraph> compiled, bool gradMode);

    /// Values that replace those of nodes.
    using Edits = std::map<NodeId, c10::IValue>;
    /// A failing kernel is not an exception. The first run decides how values are observed. `edits`: of nodes with a
    /// value; the graph is compiled with inputs in their place. Throws Cancelled.
    WatchedRun run(const std::vector<c10::IValue>& arguments, const RandomState& start, const Edits& edits = {});

    const Graph& graph() const { return *graph_; }
    std::vector<WatchedStep> steps() const;
    /// How values are observed if the compiler does not show them, and what it could not do: sentences, or empty.
    std::string note() const;

private:
    enum class Seen : std::uint8_t { bySteps, asOutputs, atTheEnd };
    /// The graph, or one with edited values.
    struct Variant {
        std::shared_ptr<const Graph> graph;
        std::shared_ptr<const CompiledGraph> compiled;
        std::vector<const Node*> replaced;  ///< nodes of the graph replaced by additional inputs, in order
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
    bool copies_;  ///< observers get copies: the memory may be reused
    bool decided_ = false;
    Seen seen_ = Seen::bySteps;
};

std::vector<NodeId> idsOf(const std::vector<const Node*>& nodes);

/// The forward, backward or inference graph of a compiled function.
WatchedGraph watchedHalf(const Compilation& compilation, GraphKind kind);

}  // namespace aotscope
