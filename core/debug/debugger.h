#pragma once

#include "passes/record.h"
#include "support/progress.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// What there is to know of a value of a run, copied out of it.
struct ValueFacts {
    std::string type;  ///< "f32[8, 512]", "sym_int", ...
    std::vector<std::int64_t> sizes;
    std::int64_t elements = 0, nans = 0, infs = 0, zeros = 0;
    double min = 0, max = 0, mean = 0, deviation = 0, absMax = 0;  ///< of the finite elements, as doubles
    std::vector<std::int64_t> histogram;  ///< of the finite elements: equal bins from min to max
    std::vector<double> first;            ///< up to 64 elements, row major
};

/// Two dimensions of a value: row major, averaged down to at most 256 x 256 cells; NaN where a cell holds one.
struct ValueImage {
    std::int64_t rows = 0, columns = 0;
    std::vector<double> cells;
};

/// Where a run stands. The next step has not been executed.
struct DebugPosition {
    GraphKind graph = GraphKind::forward;
    std::size_t step = 0, steps = 0;  ///< the next one, and how many the graph has
    NodeId node = kNoNode;            ///< of the next step; kNoNode: the run has ended
    bool ended() const { return node == kNoNode; }
};

/// Where to stop: before a node for which a query of nodes holds (`op:mm`), or after one whose value fulfils
/// `has_nan`, `has_inf`, `absmax>NUMBER`, `min<NUMBER`, `max>NUMBER`, `mean>NUMBER`; several joined by `and`.
struct DebugBreakpoint {
    std::string condition;
    int hits = 1;  ///< stops from the n-th time on
    bool enabled = true;
};

/// Why the last command came to its end.
struct DebugStop {
    enum class Reason : std::uint8_t { started, stepped, reached, breakpoint, difference, failed, ended } reason;
    std::string text;       ///< one sentence
    NodeId node = kNoNode;  ///< whose value fulfils the condition, differs, or could not be computed
    GraphKind graph = GraphKind::forward;
};

/// What a value is compared with while running.
enum class DebugReference : std::uint8_t { none, eager };

/// Runs the compiled graphs of a session node by node: the forward (or inference) graph, then, with standard tangents,
/// the backward. Values stay until the run ends, so going back costs nothing but the steps that are run anew.
/// For one thread at a time; commands may take long and throw Cancelled, leaving the run where it was stopped.
class Debugger {
public:
    virtual ~Debugger() = default;

    virtual DebugPosition position() const = 0;
    virtual const DebugStop& lastStop() const = 0;

    /// Executes one step.
    virtual void step(const Progress& progress) = 0;
    /// Executes until the module that the next node belongs to is left.
    virtual void stepOverModule(const Progress& progress) = 0;
    /// Executes until `node` of `graph` is next; goes back first when it lies behind.
    virtual void runTo(GraphKind graph, NodeId node, const Progress& progress) = 0;
    /// Executes until a breakpoint, a difference, a failure or the end.
    virtual void run(const Progress& progress) = 0;
    /// Runs until the first value with a NaN or an infinity whose operands have none.
    virtual void runToNaN(const Progress& progress) = 0;
    /// To the step before the last one; random state is as it was then.
    virtual void stepBack() = 0;
    /// To the start of the forward.
    virtual void restart() = 0;

    virtual std::vector<DebugBreakpoint> breakpoints() const = 0;
    /// Throws Error for a condition that cannot be read.
    virtual void setBreakpoints(std::vector<DebugBreakpoint> breakpoints) = 0;
    /// Values of every executed step are compared; run() stops at the first that differs.
    virtual void compareWith(DebugReference reference, const Progress& progress) = 0;

    /// Of an input, constant or executed node; nothing if it has no value (yet).
    virtual std::optional<ValueFacts> value(GraphKind graph, NodeId node) const = 0;
    /// The last two dimensions of a tensor at `leading` indices of the ones before (missing ones are 0). Nothing for
    /// values that are no tensors of two dimensions or more.
    virtual std::optional<ValueImage> image(GraphKind graph, NodeId node,
                                            const std::vector<std::int64_t>& leading) const = 0;
    /// Elements of `value`, space- or comma-separated: one for all, or as many as there are. An edit of
    /// "[i, j] = x" sets one element. Steps behind it are forgotten: the run goes on from the node after.
    /// Throws Error for text that does not fit.
    virtual void edit(GraphKind graph, NodeId node, const std::string& value) = 0;
};

}  // namespace aotscope
