#pragma once

#include "record/minify_result.h"

#include <string>

namespace aotscope {

/// What the graph shows, a table of its size before and after, and how long it took.
std::string minifyText(const MinifyResult& result);

}  // namespace aotscope
