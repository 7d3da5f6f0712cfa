#pragma once

#include "debug/debugger.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace aotscope {

/// Why a run has stopped: "difference: ...", "breakpoint 'op:mm': ..."; some texts begin with their reason.
std::string stopText(const DebugStop& stop);

/// "forward, step 3 of 12, %mul is next".
std::string positionText(const DebugPosition& position, const CompileRecord& record);

/// Where the ranks are: "ranks 0, 1: forward, step 3 of 12, %mul is next", one line per position.
std::string positionsText(const Debugger& run);

/// The first known value, with which the others are compared; null if there is none.
const ValueFacts* firstKnown(const std::vector<const ValueFacts*>& values);

/// Whether the values of two ranks are equal, judged by the first elements and the statistics.
bool sameValue(const ValueFacts& first, const ValueFacts& own);

/// The difference between a rank's value and that of the first rank that has one: "[0, 1] is 0.5, not 0.25"; "equal" if
/// they match.
std::string valueDifference(const ValueFacts& first, const ValueFacts& own);

/// A row for every rank: its statistics, and how it differs.
std::string rankValuesText(const std::vector<std::optional<ValueFacts>>& values);

/// Why all ranks have stopped, where each is, and the values of `nodes` by rank.
std::string steppedRanksText(const Debugger& run, const std::vector<std::pair<GraphKind, std::string>>& nodes);
nlohmann::json steppedRanksJson(const Debugger& run, const std::vector<std::pair<GraphKind, std::string>>& nodes);

}  // namespace aotscope
