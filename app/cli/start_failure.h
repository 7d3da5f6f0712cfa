#pragma once

namespace aotscope {

/// Until this call, lack of memory (before main(), while shared libraries are initialized) is reported as one line
/// instead of a core dump.
void endOfStart();

}  // namespace aotscope
