#pragma once

namespace aotscope {

/// Registers what LibTorch lacks for functionalization: shape functions of operators that it calls on meta tensors to
/// check in-place operations, and the functional form of the only in-place operator without one (polygamma_). Call
/// once, before tracing.
void registerMetaKernels();

}  // namespace aotscope
