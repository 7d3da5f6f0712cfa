#pragma once

namespace aotscope {

/// Registers what LibTorch lacks for functionalization: shape functions of operators that it calls on meta tensors in
/// its checks of in-place operations, and the functional form of the one in-place operator that has none (polygamma_).
/// Call once, before tracing.
void registerMetaKernels();

}  // namespace aotscope
