#pragma once

namespace aotscope {

/// Exit codes of the program.
enum ExitCode : int { kFine = 0, kFailed = 1, kWrongUsage = 2, kDifference = 3 };

}  // namespace aotscope
