#pragma once

#include "debug/debugger.h"
#include "io/session/record_fields.h"
#include "record/results/value_facts.h"

/// The fields of requests to a debugger and of its answers.
namespace aotscope::session_format {

template <>
inline constexpr bool kAsRow<DebugStep> = true;
template <>
inline constexpr bool kAsRow<Debugger::ValuePlace> = true;

AOTSCOPE_FIELDS(DebugPosition, graph, step, steps, node)
AOTSCOPE_FIELDS(DebugStep, graph, index, node, inside)
AOTSCOPE_FIELDS(Debugger::ValuePlace, graph, node, rank)
AOTSCOPE_FIELDS(RankPlace, position, waits)
AOTSCOPE_FIELDS(DebugBreakpoint, condition, hits, enabled)
AOTSCOPE_FIELDS(DebugStop, reason, text, node, graph)
AOTSCOPE_FIELDS(DebugCommand, verb, graph, node, value, breakpoints, places)
AOTSCOPE_FIELDS(DebugState, ranks, shown, stoppedBy, stop, breakpoints, hits, comparing, notes)
AOTSCOPE_FIELDS(ValueFacts, type, sizes, tensor, complex, elements, nans, infs, zeros, min, max, mean, deviation,
                absMax, histogram, first)
AOTSCOPE_FIELDS(ValueImage, rows, columns, cells)

}  // namespace aotscope::session_format
