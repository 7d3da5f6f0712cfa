#pragma once

namespace aotscope {

/// Registers shape functions for operators that LibTorch lacks them for but calls on meta tensors: inside
/// functionalization's checks of in-place operations. Call once, before tracing.
void registerMetaKernels();

}  // namespace aotscope
