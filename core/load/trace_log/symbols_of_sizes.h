#pragma once

#include "record/trace_log.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aotscope {

/// The values of symbols in a log of PyTorch 2.4 or 2.5, which does not write them: the sizes of the inputs that
/// `compile` describes, compared with those in `text`, the record of Dynamo's graph. Empty without symbols.
std::vector<std::pair<std::string, std::int64_t>> symbolsOfSizes(const TraceLog& log, const TracedCompile& compile,
                                                                 std::string_view text);

}  // namespace aotscope
