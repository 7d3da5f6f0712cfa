#pragma once

namespace aotscope {

/// Registers shape functions for operators that LibTorch calls on meta tensors although it has none: inside
/// functionalization's checks of in-place operations. Call once, before tracing.
void registerMetaKernels();

}  // namespace aotscope
