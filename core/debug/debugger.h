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
    std::size_t step = 0, steps = 0;  ///< the next one, and how many the graph has
    NodeId node = kNoNode;            ///< of the next step; kNoNode: the run has ended
    bool ended() const { return node == kNoNode; }
};

/// One operation of a run, or several that one kernel computes.
struct DebugStep {
    GraphKind graph = GraphKind::forward;
    std::size_t index = 0;            ///< in its graph, as DebugPosition::step
    NodeId node = kNoNode;            ///< of several, the last one
    std::vector<NodeId> inside = {};  ///< the others; their values are in no memory
};

/// Where to stop: a query for nodes (see Query) whose terms may also test values: `has_nan`, `has_inf`, `absmax>1e4`,
/// `min<NUMBER`, `max`, `mean`, `std`, `nans`, `infs`. Without such terms it stops before a matching node, with them
/// after a node whose value matches.
struct DebugBreakpoint {
    std::string condition;
    int hits = 1;  ///< stops from the n-th time on, counted from the start of the run
    bool enabled = true;
    bool operator==(const DebugBreakpoint&) const = default;
};

/// Why the last command stopped.
struct DebugStop {
    enum class Reason : std::uint8_t {
        started,
        stepped,
        reached,  ///< what was asked for: a node, the end of a module, an earlier step
        breakpoint,
        difference,  ///< from what values are compared with
        notFinite,   ///< a NaN or an infinity was looked for
        failed,      ///< a kernel did
        ended,
    } reason = Reason::started;
    std::string text;  ///< one sentence
    /// The node whose value was computed last, matches the condition, differs, is not finite, or could not be computed;
    /// the node that was run to; for a breakpoint before a node, that node.
    NodeId node = kNoNode;
    GraphKind graph = GraphKind::forward;
};
std::string_view name(DebugStop::Reason reason);

/// Runs the compiled graphs of a session step by step, as their compilers do: the forward (or inference) graph, then
/// the backward with standard tangents. All values are kept until the run ends, and the RNG state wherever numbers are
/// drawn, so that stepping back costs nothing and running again gives the same values. A graph that writes into its
/// inputs gets copies. What the wrapper around the graphs does (see RuntimeStep) is not part of it.
/// Use from one thread at a time. Commands may take long and throw Cancelled, leaving the run where it was stopped; an
/// error in a kernel is not an exception but a stop, and the run remains usable.
class Debugger {
public:
    virtual ~Debugger() = default;

    virtual DebugPosition position() const = 0;
    virtual const DebugStop& lastStop() const = 0;
    /// All steps of the run in order: those of the forward, or the inference graph, then those of the backward.
    virtual std::vector<DebugStep> steps() const = 0;
    /// What is done otherwise than asked for, or than node by node, and breakpoints that cannot stop: sentences.
    virtual std::vector<std::string> notes() const = 0;

    // All of these also stop at a breakpoint, a difference, a failure or the end.
    /// Executes one step.
    virtual void step(const Progress& progress) = 0;
    /// Runs to the end of the module of the next node; at the top level of the model, one step.
    virtual void stepOverModule(const Progress& progress) = 0;
    /// Runs until `node` of `graph` is next, backwards if necessary. An input stands for the start of the graph, an
    /// element of a tuple for the operation that makes it. Throws Error for a node that is in no graph of the run.
    virtual void runTo(GraphKind graph, NodeId node, const Progress& progress) = 0;
    virtual void run(const Progress& progress) = 0;
    /// Runs to the first value with a NaN that none of its operands has, or with an infinity computed from finite
    /// operands and literals. Starts with values that were computed before and not yet searched.
    virtual void runToNotFinite(const Progress& progress) = 0;
    /// Goes back one step. Edits of values that are computed later are discarded.
    virtual void stepBack() = 0;
    /// Goes back to the start of the forward and discards edits.
    virtual void restart() = 0;

    virtual std::vector<DebugBreakpoint> breakpoints() const = 0;
    /// How often the condition of each has held since the start of the run, or since it was set.
    virtual std::vector<int> hits() const = 0;
    /// Conditions that were there keep their hits. Throws Error for an invalid condition.
    virtual void setBreakpoints(std::vector<DebugBreakpoint> breakpoints) = 0;

    /// From now on every command stops at the first value that differs from eager, existing values included: the one
    /// that a check and a bisection of the run find, if they find any. What comes of an edit is compared with eager's
    /// values by itself, where these have a counterpart.
    virtual void compareWithEager(const Progress& progress) = 0;
    /// As above, against `other`: a run of another session on this model (another partition, or other options), at its
    /// start; it is run to its end. Nodes are matched as in the two joint (or inference) graphs.
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
    /// The values of several nodes: of a run on another machine, all take as long as one.
    virtual std::vector<std::optional<ValueFacts>> values(const std::vector<ValuePlace>& places,
                                                          const Progress& progress) const;
    /// The last two dimensions of a tensor at the indices `leading` of the dimensions before (missing ones are 0).
    /// Nothing for values other than tensors of two dimensions or more. Throws Error for an index out of range.
    virtual std::optional<ValueImage> image(GraphKind graph, NodeId node,
                                            const std::vector<std::int64_t>& leading) const = 0;
    /// Lines of Python that run the operation of a node by itself; if its value is not finite, on the parts of its
    /// operands that make it so. Empty for what is no operation of LibTorch's, writes into its operands, or was not
    /// executed.
    virtual std::string callAsPython(GraphKind graph, NodeId node, const Progress& progress) const = 0;
    /// Replaces the value of a node: numbers separated by spaces or commas, one for all elements or as many as there
    /// are elements; or "[i, j] = x" for one element. Values that share its memory are not changed. Later steps are
    /// discarded: the run continues at the node after. Throws Error for text that does not fit.
    virtual void edit(GraphKind graph, NodeId node, const std::string& value) = 0;
};

/// Edits a value; a run that has not come to it goes on until it has it. Throws Error if it stops before.
void editWhenThere(Debugger& run, GraphKind graph, NodeId node, const std::string& value, const Progress& progress);

/// That a run has not come to a node.
inline constexpr const char* kNotYet = "not computed yet";
/// Why `node` has no value: a clause. `steps` are those of the run, and `position` is where it stands.
std::string whyNoValue(const std::vector<DebugStep>& steps, const DebugPosition& position, const Graph& graph,
                       GraphKind kind, const Node& node);

}  // namespace aotscope
