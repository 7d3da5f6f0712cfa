#pragma once

#include "record/compile_record.h"
#include "record/results/results.h"

#include <string>

namespace aotscope {

/// "1.03 (1.01 to 1.05)", and the confidence if it is not 95 %.
std::string formatRatio(const Ratio& ratio);

/// "forward graph: its steps add up to 97.1 % (96.0 to 98.2), timing them takes 1.8 % (0.5 to 3.1)"
std::string graphTimeText(const GraphTime& graph);

/// "10 runs", or another kind: "10 interleaved runs".
std::string runsText(int iterations, const std::string& kind = "run");

/// Forward and, if there is one, backward and a step of both: how long eager or the first of two runs took, how long
/// the compiled or the second one, and their ratio.
using TimedParts = std::vector<std::pair<std::string, VariantTiming::Part>>;
TimedParts partsOf(const TimingResult& timing);
TimedParts partsOf(const VariantTiming& timing);

/// What `run --time` prints: eager against compiled, the sum of the steps, memory, modules and the slowest steps,
/// `most` of each.
std::string timingText(const TimingResult& timing, const CompileRecord& record, std::size_t most);
/// What `run --time --against` prints.
std::string variantTimingText(const VariantTiming& timing);

}  // namespace aotscope
