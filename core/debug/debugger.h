#pragma once

#include "record/compile_record.h"
#include "record/value_facts.h"
#include "support/progress.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// Where a run stands. The next step has not been executed.
struct DebugPosition {
    GraphKind graph = GraphKind::forward;
    std::size_t step = 0, steps = 0;  ///< the next one, and how many the graph has
    NodeId node = kNoNode;            ///< of the next step; kNoNode: the run has ended
    bool ended() const { return node == kNoNode; }
};

/// Where to stop: a query of nodes (see Query) whose terms may also tell of values: `has_nan`, `has_inf`, `absmax>1e4`,
/// `min<NUMBER`, `max`, `mean`, `std`, `nans`, `infs`. Stops before a node for which a query without such terms holds,
/// else after one whose value fulfils it.
struct DebugBreakpoint {
    std::string condition;
    int hits = 1;  ///< stops from the n-th time on, counted from the start of the run
    bool enabled = true;
    bool operator==(const DebugBreakpoint&) const = default;
};

/// Why the last command came to its end.
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
    /// Whose value was computed last, fulfils the condition, differs, is not finite, or could not be computed; what was
    /// run to; of a breakpoint before a node, that one.
    NodeId node = kNoNode;
    GraphKind graph = GraphKind::forward;
};
std::string_view name(DebugStop::Reason reason);

/// Runs the compiled graphs of a session node by node, with plain kernels: the forward (or inference) graph, then, with
/// standard tangents, the backward. Every value stays until the run ends, and RNG state is kept where numbers are
/// drawn, so that going back costs nothing and running again gives the same values. A graph that writes into its inputs
/// gets copies. What the wrapper around the graphs does (see RuntimeStep) is no part of it.
/// For one thread at a time. Commands may take long and throw Cancelled, leaving the run where it was stopped; what
/// goes wrong in a kernel is no exception but a stop, and the run goes on to be of use.
class Debugger {
public:
    virtual ~Debugger() = default;

    virtual DebugPosition position() const = 0;
    virtual const DebugStop& lastStop() const = 0;

    // All of these stop earlier at a breakpoint, a difference, a failure or the end.
    /// Executes one step.
    virtual void step(const Progress& progress) = 0;
    /// Executes until the module that the next node belongs to is left; one step at the top level of the model.
    virtual void stepOverModule(const Progress& progress) = 0;
    /// Executes until `node` of `graph` is next; goes back if it lies behind. An input stands for the graph's start,
    /// an element of a tuple for the operation that makes it. Throws Error for a node that is in no graph of the run.
    virtual void runTo(GraphKind graph, NodeId node, const Progress& progress) = 0;
    virtual void run(const Progress& progress) = 0;
    /// Executes until a value has a NaN that none of its operands has, or an infinity that comes from finite operands
    /// and literals. Begins with the values that are there already and were not looked at by it.
    virtual void runToNotFinite(const Progress& progress) = 0;
    /// To the step before the last one. Edits of values that are computed later are forgotten.
    virtual void stepBack() = 0;
    /// To the start of the forward, as it was at first: edits are forgotten.
    virtual void restart() = 0;

    virtual std::vector<DebugBreakpoint> breakpoints() const = 0;
    /// Counts hits from 0. Throws Error for a condition that cannot be read.
    virtual void setBreakpoints(std::vector<DebugBreakpoint> breakpoints) = 0;

    /// From now on every command stops at the first value that differs, those that are there already included. What
    /// eager has no counterpart of is taken as it is: inputs of a graph, and what a decomposition has put in the place
    /// of an operation.
    virtual void compareWithEager(const Progress& progress) = 0;
    /// The same with `other`, a run of another session on this model (another partition, or other options) that stands
    /// at its start; it is run to its end. Nodes correspond as those of the two joint (or inference) graphs do.
    virtual void compareWith(Debugger& other, const Progress& progress) = 0;
    virtual void stopComparing() = 0;
    virtual bool comparing() const = 0;

    /// Of an input, constant or executed node, as it was computed; of a tuple, its first element that is used. Nothing
    /// if it has no value (yet).
    virtual std::optional<ValueFacts> value(GraphKind graph, NodeId node) const = 0;
    /// The last two dimensions of a tensor at `leading` indices of the ones before (missing ones are 0). Nothing for
    /// values that are no tensors of two dimensions or more. Throws Error for an index that does not exist.
    virtual std::optional<ValueImage> image(GraphKind graph, NodeId node,
                                            const std::vector<std::int64_t>& leading) const = 0;
    /// Gives a node that has a value another one: numbers, space- or comma-separated, one for all elements or as many
    /// as there are; or "[i, j] = x" for one element. Other values that share its memory stay as they are. Steps behind
    /// it are forgotten: the run goes on from the node after. Throws Error for text that does not fit.
    virtual void edit(GraphKind graph, NodeId node, const std::string& value) = 0;
};

}  // namespace aotscope
