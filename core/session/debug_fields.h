#pragma once

#include "debug/ranks_debugger.h"
#include "io/session/record_fields.h"
#include "record/value_facts.h"

/// The fields of what a debugger tells.
namespace aotscope::session_format {

template <>
inline constexpr bool kAsRow<DebugStep> = true;
template <>
inline constexpr bool kAsRow<Debugger::ValuePlace> = true;
template <>
inline constexpr bool kAsRow<RankNode> = true;

template <typename Io, Is<DebugPosition> T>
void fields(Io& io, T& v) {
    io("graph", v.graph), io("step", v.step), io("steps", v.steps), io("node", v.node);
}

template <typename Io, Is<DebugStep> T>
void fields(Io& io, T& v) {
    io("graph", v.graph), io("index", v.index), io("node", v.node), io("inside", v.inside);
}

template <typename Io, Is<Debugger::ValuePlace> T>
void fields(Io& io, T& v) {
    io("graph", v.graph), io("node", v.node);
}

template <typename Io, Is<RankNode> T>
void fields(Io& io, T& v) {
    io("rank", v.rank), io("graph", v.graph), io("node", v.node);
}

template <typename Io, Is<RankPlace> T>
void fields(Io& io, T& v) {
    io("position", v.position), io("waits", v.waits);
}

template <typename Io, Is<DebugBreakpoint> T>
void fields(Io& io, T& v) {
    io("condition", v.condition), io("hits", v.hits), io("enabled", v.enabled);
}

template <typename Io, Is<DebugStop> T>
void fields(Io& io, T& v) {
    io("reason", v.reason), io("text", v.text), io("node", v.node), io("graph", v.graph);
}

template <typename Io, Is<ValueFacts> T>
void fields(Io& io, T& v) {
    io("type", v.type), io("sizes", v.sizes), io("tensor", v.tensor), io("complex", v.complex);
    io("elements", v.elements), io("nans", v.nans), io("infs", v.infs), io("zeros", v.zeros), io("min", v.min);
    io("max", v.max), io("mean", v.mean), io("deviation", v.deviation), io("absMax", v.absMax);
    io("histogram", v.histogram), io("first", v.first);
}

template <typename Io, Is<ValueImage> T>
void fields(Io& io, T& v) {
    io("rows", v.rows), io("columns", v.columns), io("cells", v.cells);
}

/// Everything that a command may change.
struct DebugState {
    DebugPosition position;
    DebugStop stop;
    std::vector<DebugBreakpoint> breakpoints;
    std::vector<int> hits;
    bool comparing = false;
    std::vector<std::string> notes = {};
};

template <typename Io, Is<DebugState> T>
void fields(Io& io, T& v) {
    io("position", v.position), io("stop", v.stop), io("breakpoints", v.breakpoints), io("hits", v.hits);
    io("comparing", v.comparing), io("notes", v.notes);
}

/// The same of ranks that are stepped together.
struct RanksState {
    std::vector<DebugPosition> positions;
    std::vector<std::string> waits;  ///< for what
    std::vector<std::size_t> stoppedBy;
    std::size_t shown = 0;
};

template <typename Io, Is<RanksState> T>
void fields(Io& io, T& v) {
    io("positions", v.positions), io("waits", v.waits), io("stoppedBy", v.stoppedBy), io("shown", v.shown);
}

struct DebugStart {
    std::vector<DebugStep> steps;
    DebugState state;
};

template <typename Io, Is<DebugStart> T>
void fields(Io& io, T& v) {
    io("steps", v.steps), io("state", v.state);
}

}  // namespace aotscope::session_format
