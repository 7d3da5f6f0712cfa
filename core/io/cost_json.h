#pragma once

#include "cost/live_memory.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

/// {"given_bytes", "saved_bytes", "peak_bytes", "peak_at", "live_at_peak": [...], "curve": [...]}.
nlohmann::json liveMemoryJson(const LiveMemory& memory);

}  // namespace aotscope
