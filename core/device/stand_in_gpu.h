#pragma once

namespace aotscope {

/// Registers the simulated GPU with LibTorch as its one CUDA device, whose streams and events do nothing and which has
/// no kernels, so that models on it can be traced. Attention chooses its kernel as on that GPU. Call only if no CUDA
/// library is loaded, and once per process.
void registerStandInGpu();

}  // namespace aotscope
