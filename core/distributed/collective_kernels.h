#pragma once

namespace aotscope {

/// Registers kernels of the functional collectives, through which tensors of this process are exchanged within the
/// World of the calling thread instead of process groups. Call once, before any runs.
void registerCollectiveKernels();

}  // namespace aotscope
