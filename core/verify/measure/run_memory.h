#pragma once

#include "record/compile_record.h"
#include "record/options/options.h"

#include <string>

namespace aotscope {

/// Why one run of the record's graphs does not fit into the memory that the machine has left, as a sentence; empty if
/// it does, or if it runs on a GPU, whose allocator says so itself. Parameters and buffers count as there.
std::string whyNoRoom(const CompileRecord& record, const Options& options);

}  // namespace aotscope
