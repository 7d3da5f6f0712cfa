#pragma once

#include "support/error.h"

#include <c10/core/Device.h>

#include <string>

namespace aotscope::test {

/// Thrown if a check is meaningless on this machine.
class Skipped : public Error {
    using Error::Error;
};

/// Throws Error unless `holds`.
inline void expect(bool holds, const std::string& otherwise) {
    if (!holds) throw Error(otherwise);
}

/// The first GPU, or the CPU to try the checks themselves without a GPU.
c10::Device checkedDevice();
/// Why no kernel of ours can be launched with this LibTorch: one sentence; empty if it can.
std::string whyNoLaunch();

// Every check returns the figure for the table and throws what went wrong.

/// JSON: the GPUs, what is missing, the versions of LibTorch and NVRTC.
std::string describeMachine();
/// Sources of fused kernels, compiled by NVRTC if available and run on the CPU, thread by thread.
std::string emulatedKernels();
/// The same kernels, launched on the GPU.
std::string launchedKernels();
/// Compiled functions called on a stream that is still busy with their input.
std::string sideStream();
/// Graphs that are replayed with other inputs and with parameters that have moved.
std::string replays();
/// Fused kernels that are translated and loaded while a capture is going on.
std::string kernelsFirstMetInCapture();
/// The error for an allocation that no GPU can serve.
std::string outOfMemory();
/// RNG state of CPU and GPU, seeded, kept and restored.
std::string randomState();

}  // namespace aotscope::test
