#pragma once

#include "record/results/minify_result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace aotscope {

/// What the graph shows, a table of its size before and after, and how long it took.
std::string minifyText(const MinifyResult& result);

/// The same, with the text of the graph.
nlohmann::json minifyJson(const MinifyResult& result);

}  // namespace aotscope
