#pragma once

namespace aotscope {

/// Replaces this program by the engine, with the same arguments and environment. Throws Error if it cannot start.
[[noreturn]] void becomeEngine(char** argv);

}  // namespace aotscope
