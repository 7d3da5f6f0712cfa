#pragma once

#include "record/compile_record.h"
#include "record/results/value_facts.h"
#include "support/progress.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// The position of a run. The step `step` has not been executed yet.
struct DebugPosition {
    GraphKind graph = GraphKind::forward;
    std::size_t step = 0, steps = 0;  ///< the next step, and the number of steps in the graph
    NodeId node = kNoNode;            ///< of the next step; kNoNode: the run is finished
    bool ended() const { return node == kNoNode; }
};

/// One operation of a run, or several that one kernel computes.
struct DebugStep {
    GraphKind graph = GraphKind::forward;
    std::size_t index = 0;            ///< in its graph, as DebugPosition::step
    NodeId node = kNoNode;            ///< the last one if there are several
    std::vector<NodeId> inside = {};  ///< the others; their values are never stored
};

/// Where to stop: a query for nodes (see Query) whose terms may also test values: `has_nan`, `has_inf`, `absmax>1e4`,
/// `min<NUMBER`, `max`, `mean`, `std`, `nans`, `infs`. Without such terms it stops before a matching node, with them
/// after a node whose value matches.
struct DebugBreakpoint {
    std::string condition;
    int hits = 1;  ///< stops from the n-th hit on, counted from the start of the run
    bool enabled = true;
    bool operator==(const DebugBreakpoint&) const = default;
};

/// Why the last command stopped.
struct DebugStop {
    enum class Reason : std::uint8_t {
        started,
        stepped,
        reached,  ///< the target of the command: a node, the end of a module, an earlier step
        breakpoint,
        difference,  ///< from the reference values
        notFinite,   ///< the NaN or infinity that was searched for
        failed,      ///< a kernel failed
        ended,
    } reason = Reason::started;
    std::string text;  ///< one sentence
    /// The node whose value was computed last, matches the condition, differs, is not finite, or could not be computed;
    /// the target node; for a breakpoint before a node, that node.
    NodeId node = kNoNode;
    GraphKind graph = GraphKind::forward;
};
std::string_view name(DebugStop::Reason reason);

/// Runs the compiled graphs of a session step by step, as their compilers do: the forward (or inference) graph, then
/// the backward with standard tangents. All values are kept until the run ends, and the RNG state before every step
/// that draws random numbers, so that stepping back is free and rerunning gives the same values. A graph that writes
/// into its inputs gets copies. The wrapper around the graphs (see RuntimeStep) is not part of the run. Use from one
/// thread at a time. Commands may take long and throw Cancelled, which leaves the run where it was; an error in a
/// kernel is a stop, not an exception, and the run remains usable.
class Debugger {
public:
    virtual ~Debugger() = default;

    virtual DebugPosition position() const = 0;
    virtual const DebugStop& lastStop() const = 0;
    /// All steps of the run in order: those of the forward or inference graph, then those of the backward.
    virtual std::vector<DebugStep> steps() const = 0;
    /// Deviations from the request or from running node by node, and breakpoints that cannot stop, as sentences.
    virtual std::vector<std::string> notes() const = 0;

    // All commands also stop at a breakpoint, a difference, a failure or the end.
    /// Executes one step.
    virtual void step(const Progress& progress) = 0;
    /// Runs to the end of the module of the next node; at the top level of the model, one step.
    virtual void stepOverModule(const Progress& progress) = 0;
    /// Runs until `node` of `graph` is next, backwards if necessary. An input means the start of the graph, an element
    /// of a tuple the operation that computes it. Throws Error for a node outside the graphs of the run.
    virtual void runTo(GraphKind graph, NodeId node, const Progress& progress) = 0;
    virtual void run(const Progress& progress) = 0;
    /// Runs to the first value with a NaN that none of its operands has, or with an infinity computed from finite
    /// operands and literals. Starts with earlier values that were not searched yet.
    virtual void runToNotFinite(const Progress& progress) = 0;
    /// Goes back one step. Edits of values that are computed later are discarded.
    virtual void stepBack() = 0;
    /// Goes back to the start of the forward and discards edits.
    virtual void restart() = 0;

    virtual std::vector<DebugBreakpoint> breakpoints() const = 0;
    /// How often each condition has held since the start of the run, or since it was set.
    virtual std::vector<int> hits() const = 0;
    /// Conditions that are already set keep their hits. Throws Error for an invalid condition.
    virtual void setBreakpoints(std::vector<DebugBreakpoint> breakpoints) = 0;

    /// From now on every command stops at the first value that differs from eager, existing values included: the one
    /// found by a check and a bisection of the run, if any. Values that depend on an edit are compared with eager's
    /// directly, where those have a counterpart.
    virtual void compareWithEager(const Progress& progress) = 0;
    /// The same, against `other`: a run of another session on this model (another partition, or other options), which
    /// is at its start and is run to its end. Nodes are matched as in the two joint (or inference) graphs.
    virtual void compareWith(Debugger& other, const Progress& progress) = 0;
    virtual void stopComparing() = 0;
    virtual bool comparing() const = 0;

    /// The value of an input, constant or executed node as it was computed; for a tuple, its first used element.
    /// Nothing if it has no value (yet).
    virtual std::optional<ValueFacts> value(GraphKind graph, NodeId node) const = 0;
    struct ValuePlace {
        GraphKind graph = GraphKind::forward;
        NodeId node = kNoNode;
    };
    /// The values of several nodes: in a remote run, all take as long as one.
    virtual std::vector<std::optional<ValueFacts>> values(const std::vector<ValuePlace>& places,
                                                          const Progress& progress) const;
    /// The last two dimensions of a tensor at the indices `leading` of the preceding dimensions (missing ones are 0).
    /// Nothing unless the value is a tensor of at least two dimensions. Throws Error for an index out of range.
    virtual std::optional<ValueImage> image(GraphKind graph, NodeId node,
                                            const std::vector<std::int64_t>& leading) const = 0;
    /// Python code that runs the operation of a node in isolation; if its value is not finite, on the parts of its
    /// operands that cause it. Empty if the node is not a LibTorch operation, writes into its operands, or was not
    /// executed.
    virtual std::string callAsPython(GraphKind graph, NodeId node, const Progress& progress) const = 0;
    /// Replaces the value of a node: numbers separated by spaces or commas, one for all elements or as many as there
    /// are elements; or "[i, j] = x" for one element. Values that share its memory are not changed. Later steps are
    /// discarded: the run continues after the node. Throws Error for invalid text.
    virtual void edit(GraphKind graph, NodeId node, const std::string& value) = 0;
};

/// Edits a value; if the run has not reached it, continues until it is computed. Throws Error if it stops earlier.
void editWhenThere(Debugger& run, GraphKind graph, NodeId node, const std::string& value, const Progress& progress);

/// The reason for nodes that a run has not reached.
inline constexpr const char* kNotYet = "not computed yet";
/// Why `node` has no value: a clause. `steps` are those of the run, and `position` is its current position.
std::string whyNoValue(const std::vector<DebugStep>& steps, const DebugPosition& position, const Graph& graph,
                       GraphKind kind, const Node& node);

}  // namespace aotscope
