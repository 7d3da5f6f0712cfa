#pragma once

#include <functional>
#include <string_view>

namespace aotscope {

/// Says an error as one line on stderr.
void sayError(std::string_view sentence);

/// What `job` returns, its exit code; an exception is said and becomes an exit code, too.
int reportErrors(const std::function<int()>& job);

}  // namespace aotscope
