#pragma once

#include <string>

namespace aotscope {

/// "source, joint, forward": the graphs that --graph takes.
std::string graphNames(const char* separator);

/// Throws UsageError if --graph does not take this name.
void requireGraphName(const std::string& graph);

}  // namespace aotscope
