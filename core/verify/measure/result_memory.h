#pragma once

#include "ir/graph.h"
#include "verify/memory_meter.h"

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace aotscope {

/// The memory that each of these results has of its own since the meter's startIteration(): 0 for what it shares with
/// operands or with results before it. Nothing if the meter does not know.
std::optional<std::vector<std::int64_t>> newMemoryOf(c10::ArrayRef<c10::IValue> results, const MemoryMeter& meter);

/// `bytes` if one of them is more than the type of that result of `node` says, as for workspaces whose sizes only
/// libraries know; empty otherwise.
std::vector<std::int64_t> beyondTypes(const Node& node, const std::vector<std::int64_t>& bytes);

}  // namespace aotscope
