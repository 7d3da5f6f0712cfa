#pragma once

#include "record/compile_story.h"

#include <string_view>

namespace aotscope {

/// The text of a graph break, as Dynamo writes it for users.
GraphBreak readGraphBreak(std::string_view text);

/// Frames of a Python traceback: '  File "x.py", line 3, in f' followed by lines of code.
std::vector<CodePlace> readTraceback(std::string_view text);

/// The exception at the end of a Python traceback, on one line.
std::string lastErrorIn(std::string_view traceback);

/// "0/0: tensor 'x' size mismatch at index 0. expected 3, actual 4": a reason of a recompilation.
FailedGuard readFailedGuard(std::string_view text);

}  // namespace aotscope
