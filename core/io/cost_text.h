#pragma once

#include "cost/live_memory.h"
#include "cost/variant_costs.h"

#include <string>

namespace aotscope {

/// Two sentences: memory, and the estimated time.
std::string costsText(const VariantCosts& costs);
/// Where the peak is, the size of one arena for all memory, and a table of the largest values at the peak.
std::string peakText(const LiveMemory& memory, std::size_t largest);

}  // namespace aotscope
