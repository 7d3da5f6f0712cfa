#pragma once

namespace aotscope {

/// The simulated GPU that is used for tracing with no GPU present.
inline constexpr const char* kStandInGpu = "NVIDIA H100";
inline constexpr int kStandInMajor = 9, kStandInMinor = 0;  ///< its compute capability

}  // namespace aotscope
