#pragma once

#include "record/compile_story.h"

#include <string>

namespace aotscope {

/// The first line of a text, truncated to `longest`, for a table cell.
std::string textCell(const std::string& text, std::size_t longest = 110);

/// "FX graph cache: miss".
std::string cacheText(const CacheEvent& event);

}  // namespace aotscope
