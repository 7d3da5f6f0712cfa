#pragma once

namespace aotscope {

/// The simulated GPU that is used for tracing with no GPU present.
inline constexpr const char* kStandInGpu = "NVIDIA H100";
inline constexpr int kStandInMajor = 9, kStandInMinor = 0;  ///< its compute capability

/// Registers one CUDA device with LibTorch, whose streams and events do nothing and which has no kernels, so that
/// models on it can be traced. Attention chooses its kernel as on that GPU. Call only if no CUDA library is loaded, and
/// once per process.
void registerStandInGpu();

}  // namespace aotscope
