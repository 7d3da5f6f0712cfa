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

/// Where one rank of a run is.
struct RankPlace {
    DebugPosition position = {};
    std::string waits = {};  ///< for what: its node and the collective; empty: the rank can continue, or has ended
};

class Debugger;

/// What a command does. Verbs that run on also stop at a breakpoint, a difference, a failure or the end.
enum class DebugVerb : std::uint8_t {
    none,
    step,            ///< executes one step
    stepOverModule,  ///< runs to the end of the module of the next node; at the top level of the model, one step
    /// Runs until `node` of `graph` is next, backwards if necessary. An input means the start of the graph, an element
    /// of a tuple the operation that computes it. Throws Error for a node outside the graphs of the run.
    runTo,
    run,
    /// Runs to the first value with a NaN that none of its operands has, or with an infinity computed from finite
    /// operands and literals. Starts with earlier values that were not searched yet.
    runToNotFinite,
    stepBack,  ///< one step; edits of values that are computed later are discarded
    restart,   ///< goes back to the start of the forward and discards edits
    goTo,      ///< restarts, and runs every rank to its place in `places`; throws Error for another number of them
    /// Conditions that are already set keep their hits. Throws Error for an invalid condition.
    setBreakpoints,
    /// From now on every command stops at the first value that differs from eager, existing values included: the one
    /// found by a check and a bisection of the run, if any. Values that depend on an edit are compared with eager's
    /// directly, where those have a counterpart.
    compareWithEager,
    /// The same, against `other`: a run of another session on this model (another partition, or other options), which
    /// is at its start and is run to its end. Nodes are matched as in the two joint (or inference) graphs.
    compareWith,
    stopComparing,
    /// Replaces the value of a node with `value`: numbers separated by spaces or commas, one for all elements or as
    /// many as there are elements; or "[i, j] = x" for one element. Values that share its memory are not changed. Later
    /// steps are discarded: the run continues after the node. Throws Error for invalid text.
    edit,
};
struct DebugCommand {
    DebugVerb verb = DebugVerb::none;
    GraphKind graph = GraphKind::forward;
    NodeId node = kNoNode;
    std::string value = {};
    std::vector<DebugBreakpoint> breakpoints = {};
    std::vector<RankPlace> places = {};
    std::shared_ptr<Debugger> other = nullptr;  ///< of the same kind
};
/// For verbs that only run on: whether a run that was at `start` has come far enough. `record` has its graphs.
bool hasArrived(DebugVerb verb, const CompileRecord& record, const DebugPosition& start, const DebugPosition& now);

/// Everything that a command may change.
struct DebugState {
    std::vector<RankPlace> ranks;
    /// The first rank, or the chosen one; another one if the last command stopped only for others.
    std::size_t shown = 0;
    std::vector<std::size_t> stoppedBy = {};  ///< the ranks that the last command stopped for; empty: all
    DebugStop stop = {};
    std::vector<DebugBreakpoint> breakpoints = {};
    std::vector<int> hits = {};  ///< how often each condition has held since the run began or it was set, on all ranks
    bool comparing = false;
    /// Deviations from the request or from running node by node, and breakpoints that cannot stop, as sentences.
    std::vector<std::string> notes = {};

    const DebugPosition& position() const { return ranks[shown].position; }
};

/// Runs the compiled graphs of a session step by step, as their compilers do: the forward (or inference) graph, then
/// the backward with standard tangents. All values are kept until the run ends, and the RNG state before every step
/// that draws random numbers, so that stepping back is free and rerunning gives the same values. A graph that writes
/// into its inputs gets copies. The wrapper around the graphs (see RuntimeStep) is not part of the run.
/// All ranks of a distributed program are stepped together: every command lets each rank execute one step after the
/// other, and a collective runs when the last rank of its group reaches it. A rank that must wait for others stays
/// where it is. Queries for one run are answered for the shown rank; breakpoints, differences and failures of any rank
/// stop all, and name it.
/// Use from one thread at a time. Commands may take long and throw Cancelled, which leaves the run where it was; an
/// error in a kernel is a stop, not an exception, and the run remains usable.
class Debugger {
public:
    virtual ~Debugger() = default;

    std::size_t ranks() const { return records_.size(); }
    const CompileRecord& record(std::size_t rank) const { return *records_[rank]; }
    const DebugState& state() const { return state_; }
    const DebugPosition& position() const { return state_.position(); }
    const DebugStop& lastStop() const { return state_.stop; }
    /// The node of lastStop() in the graphs of the shown rank, or null.
    const Node* stoppedAt() const;
    /// Throws Error for a rank that does not exist.
    virtual void show(std::size_t rank);
    /// All steps of a rank in order: those of the forward or inference graph, then those of the backward.
    virtual std::vector<DebugStep> stepsOf(std::size_t rank) const = 0;
    std::vector<DebugStep> steps() const { return stepsOf(state_.shown); }

    /// Returns the state that it leads to.
    virtual const DebugState& execute(const DebugCommand& command, const Progress& progress) = 0;
    void step(const Progress& progress) { execute({.verb = DebugVerb::step}, progress); }
    void run(const Progress& progress) { execute({.verb = DebugVerb::run}, progress); }
    void runTo(GraphKind graph, NodeId node, const Progress& progress) {
        execute({.verb = DebugVerb::runTo, .graph = graph, .node = node}, progress);
    }
    void runToNotFinite(const Progress& progress) { execute({.verb = DebugVerb::runToNotFinite}, progress); }
    void stepBack() { execute({.verb = DebugVerb::stepBack}, {}); }
    void restart() { execute({.verb = DebugVerb::restart}, {}); }
    void setBreakpoints(std::vector<DebugBreakpoint> breakpoints) {
        execute({.verb = DebugVerb::setBreakpoints, .breakpoints = std::move(breakpoints)}, {});
    }
    void compareWithEager(const Progress& progress) { execute({.verb = DebugVerb::compareWithEager}, progress); }
    void edit(GraphKind graph, NodeId node, const std::string& value) {
        execute({.verb = DebugVerb::edit, .graph = graph, .node = node, .value = value}, {});
    }

    struct ValuePlace {
        GraphKind graph = GraphKind::forward;
        NodeId node = kNoNode;
        std::size_t rank = 0;
    };
    using Values = std::vector<std::optional<ValueFacts>>;
    /// The values of inputs, constants and executed nodes as they were computed; for a tuple, its first used element.
    /// Nothing for nodes without a value (yet). In another process, all take as long as one.
    virtual Values values(const std::vector<ValuePlace>& places, const Progress& progress) const = 0;
    std::optional<ValueFacts> value(GraphKind graph, NodeId node) const {
        return values(std::vector<ValuePlace>{{graph, node, state_.shown}}, {}).front();
    }
    /// For each of `nodes`, the values of the nodes with that name on every rank.
    std::vector<Values> valuesOf(GraphKind graph, const std::vector<std::string>& nodes,
                                 const Progress& progress) const;
    Values values(GraphKind graph, const std::string& node) const { return valuesOf(graph, {node}, {}).front(); }
    /// The last two dimensions of a tensor at the indices `leading` of the preceding dimensions (missing ones are 0).
    /// Nothing unless the value is a tensor of at least two dimensions. Throws Error for an index out of range.
    virtual std::optional<ValueImage> image(GraphKind graph, NodeId node,
                                            const std::vector<std::int64_t>& leading) const = 0;
    /// Python code that runs the operation of a node in isolation; if its value is not finite, on the parts of its
    /// operands that cause it. Empty if the node is not a LibTorch operation, writes into its operands, or was not
    /// executed.
    virtual std::string callAsPython(GraphKind graph, NodeId node, const Progress& progress) const = 0;

protected:
    /// For each rank, the record of its graphs.
    explicit Debugger(std::vector<std::shared_ptr<const CompileRecord>> records);
    void requireOfAll(const std::vector<RankPlace>& places) const;

    DebugState state_;

private:
    std::vector<std::shared_ptr<const CompileRecord>> records_;
};

/// Edits a value; if the run has not reached it, continues until it is computed. Throws Error if it stops earlier.
void editWhenThere(Debugger& run, GraphKind graph, NodeId node, const std::string& value, const Progress& progress);

/// The reason for nodes that a run has not reached.
inline constexpr const char* kNotYet = "not computed yet";
/// Why `node` has no value: a clause. `steps` are those of the run, and `position` is its current position.
std::string whyNoValue(const std::vector<DebugStep>& steps, const DebugPosition& position, const Graph& graph,
                       GraphKind kind, const Node& node);

}  // namespace aotscope
