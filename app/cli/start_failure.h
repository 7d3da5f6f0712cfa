#pragma once

namespace aotscope {

/// From this call until endOfStart(), lack of memory that nothing can catch (LibTorch registers operators in
/// destructors) is reported as one line instead of a core dump. Called once before shared libraries are initialized,
/// and again after another terminate handler was set.
void watchStart();

void endOfStart();

}  // namespace aotscope
