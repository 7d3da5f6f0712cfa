#pragma once

#include "cost/live_memory.h"
#include "cost/variant_costs.h"

#include <string>

namespace aotscope {

/// A time, with its reliability: "1.31 ms" if measured, "1.3 ms" if estimated, or "unreliable".
std::string timeText(double ms, TimeBasis basis);

/// Two sentences: memory, and the estimated time.
std::string costsText(const VariantCosts& costs);
/// Where the peak is, and a table of the largest values there.
std::string peakText(const LiveMemory& memory, std::size_t largest);

}  // namespace aotscope
