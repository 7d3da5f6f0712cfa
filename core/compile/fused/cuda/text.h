#pragma once

#include "compile/fused/kernel.h"

#include <compare>
#include <string>
#include <vector>

namespace aotscope {

/// What a translation is made for: how the tensors of a call lie, once dimensions that need not be told apart are one.
struct CudaForm {
    int kept = 1, reduced = 0;  ///< dimensions that are left
    bool wide = false;          ///< offsets need 64 bits
    bool columns = false;       ///< neighbouring threads take neighbouring kept positions, else reduced ones
    int pack = 1;  ///< elements that a thread takes at once along the last dimension, if nothing is reduced
    std::vector<bool> repeated = {};  ///< if pack > 1: of each input, whether it has one element for all of these
    auto operator<=>(const CudaForm&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes it for a 0
};

/// Threads of a block at most, as the compiler is told; fewer registers are left for each if there are more.
inline constexpr int kCudaThreads = 512;
inline constexpr int kCudaWarp = 32;
inline constexpr const char* kCudaName = "fused";  ///< of the function

/// `kernel` in CUDA C++ that includes nothing. Parameters, in this order: of each input, then of each output, the
/// pointer, then the strides in elements along the kept dimensions, then those along the reduced ones (not of outputs
/// that are there for kept positions only); the numbers, as double or long long; the number of kept positions, then the
/// sizes of the kept dimensions but the first; the same of the reduced ones, if there are any. Strides and sizes are
/// unsigned, of 32 or 64 bits. With `pack`, sizes and strides along the last dimension count packs, not elements.
/// Pointwise kernels take a grid and blocks of any size in one dimension. A block of a kernel that reduces has one warp
/// or several in x and 1 in y, or one in x and several rows in y, each for one kept position; by columns, 32 kept
/// positions in x, and in y the threads that share each. Throws Error for element types that no kernel computes with.
std::string cudaText(const Kernel& kernel, const CudaForm& form);

}  // namespace aotscope
