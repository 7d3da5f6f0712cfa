#pragma once

#include "record/compile_record.h"

#include <string>

namespace aotscope {

/// The reference of a check of this run: "eager"; for printed graphs, "the joint graph" or, without one, "the same
/// graphs run operation by operation"; for a sequence of passes, its first graph.
std::string checkReference(const CompileRecord& record);

}  // namespace aotscope
