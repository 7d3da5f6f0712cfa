#pragma once

#include "record/compile_record.h"
#include "record/options/options.h"

#include <string>

namespace aotscope {

/// Why one run of the record's graphs does not fit in the available memory, as a sentence; empty if it does, or if it
/// runs on a GPU, whose allocator reports it. Assumes that parameters and buffers are already in memory.
std::string whyNoRoom(const CompileRecord& record, const Options& options);

}  // namespace aotscope
