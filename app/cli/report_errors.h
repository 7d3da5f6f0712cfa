#pragma once

#include <functional>
#include <string_view>

namespace aotscope {

/// Prints an error as one line on stderr.
void sayError(std::string_view sentence);

/// Runs `job` and returns its exit code; an exception is printed and becomes an exit code.
int reportErrors(const std::function<int()>& job);

}  // namespace aotscope
