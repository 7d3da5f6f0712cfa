#pragma once

#include "record/compile_record.h"
#include "record/results/results.h"

#include <string>
#include <vector>

namespace aotscope {

/// What is worth knowing about a comparison with eager: that the compiled function is slower, and where its time goes,
/// or that it needs more memory. One sentence each; nothing if it is not.
std::vector<std::string> timingNotes(const TimingResult& timing, const CompileRecord& record);
/// Which of two runs is faster.
std::vector<std::string> timingNotes(const VariantTiming& timing);

}  // namespace aotscope
