#pragma once

namespace aotscope {

/// Registers kernels of the functional collectives, which exchange tensors within the World of the calling thread
/// instead of process groups. Call once, before any of them runs.
void registerCollectiveKernels();

}  // namespace aotscope
