#pragma once

#include "record/options.h"

#include <string>

namespace aotscope {

/// A range as --dynamic and the options bar take it: "batch=2..64", "batch=2.." or "batch". Throws UsageError.
DynamicRange parseDynamicRange(const std::string& text);

/// Sizes as --at takes them: "batch=4,length=7". Throws UsageError.
SymbolValues parseSizes(const std::string& text);

/// A size of memory as --memory-limit takes it: "2GB", "512 MiB", "1.5e9". Throws UsageError.
std::int64_t parseMemory(const std::string& text);

}  // namespace aotscope
