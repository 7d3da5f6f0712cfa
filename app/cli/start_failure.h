#pragma once

namespace aotscope {

/// From this call until endOfStart(), running out of memory where nothing can catch it (LibTorch registers operators in
/// destructors) is reported as one line instead of a core dump. Call it once before shared libraries are initialized,
/// and again after another terminate handler was set.
void watchStart();

void endOfStart();

}  // namespace aotscope
