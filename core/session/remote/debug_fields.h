#pragma once

#include "debug/ranks_debugger.h"
#include "io/session/record_fields.h"
#include "record/results/value_facts.h"

/// The fields of a debugger's answers.
namespace aotscope::session_format {

template <>
inline constexpr bool kAsRow<DebugStep> = true;
template <>
inline constexpr bool kAsRow<Debugger::ValuePlace> = true;
template <>
inline constexpr bool kAsRow<RankNode> = true;

AOTSCOPE_FIELDS(DebugPosition, graph, step, steps, node)
AOTSCOPE_FIELDS(DebugStep, graph, index, node, inside)
AOTSCOPE_FIELDS(Debugger::ValuePlace, graph, node)
AOTSCOPE_FIELDS(RankNode, rank, graph, node)
AOTSCOPE_FIELDS(RankPlace, position, waits)
AOTSCOPE_FIELDS(DebugBreakpoint, condition, hits, enabled)
AOTSCOPE_FIELDS(DebugStop, reason, text, node, graph)
AOTSCOPE_FIELDS(ValueFacts, type, sizes, tensor, complex, elements, nans, infs, zeros, min, max, mean, deviation,
                absMax, histogram, first)
AOTSCOPE_FIELDS(ValueImage, rows, columns, cells)

/// Everything that a command may change.
struct DebugState {
    DebugPosition position;
    DebugStop stop;
    std::vector<DebugBreakpoint> breakpoints;
    std::vector<int> hits;
    bool comparing = false;
    std::vector<std::string> notes = {};
};

AOTSCOPE_FIELDS(DebugState, position, stop, breakpoints, hits, comparing, notes)

/// The same for ranks that are stepped together.
struct RanksState {
    std::vector<DebugPosition> positions;
    std::vector<std::string> waits;  ///< what they wait for
    std::vector<std::size_t> stoppedBy;
    std::size_t shown = 0;
};

AOTSCOPE_FIELDS(RanksState, positions, waits, stoppedBy, shown)

struct DebugStart {
    std::vector<DebugStep> steps;
    DebugState state;
};

AOTSCOPE_FIELDS(DebugStart, steps, state)

}  // namespace aotscope::session_format
