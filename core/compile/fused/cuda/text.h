#pragma once

#include "compile/fused/kernel.h"

#include <compare>
#include <string>
#include <vector>

namespace aotscope {

/// The form of a translation: the layout of a call's tensors, once dimensions that can be iterated as one are merged.
struct CudaForm {
    int kept = 1, reduced = 0;  ///< remaining dimensions
    bool wide = false;          ///< offsets need 64 bits
    bool columns = false;       ///< neighbouring threads process neighbouring kept positions, not reduced ones
    int pack = 1;  ///< elements that a thread processes at once along the last dimension, if nothing is reduced
    std::vector<bool> repeated = {};  ///< if pack > 1: for each input, whether one element serves the whole pack
    auto operator<=>(const CudaForm&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes it for a 0
};

/// The block size limit given to the compiler; larger limits leave fewer registers per thread.
inline constexpr int kCudaThreads = 512;
inline constexpr int kCudaWarp = 32;
inline constexpr const char* kCudaName = "fused";  ///< of the function

/// `kernel` in CUDA C++ without includes. Parameters, in this order: of each input, then of each output, the pointer,
/// then the strides in elements along the kept dimensions, then those along the reduced ones (not for outputs with kept
/// positions only), then size and stride of each indexed dimension; of each dimension whose positions are needed, the
/// steps along the kept dimensions, then along the reduced ones; the numbers, as double or long long; the number of
/// kept positions, then the sizes of the kept dimensions except the first; the same for the reduced ones, if any.
/// Sequential dimensions take the place of reduced ones. Strides and sizes are unsigned, of 32 or 64 bits. With `pack`,
/// sizes and strides along the last dimension count packs, not elements. Pointwise kernels take a grid and blocks of
/// any size in one dimension. A block of a kernel that reduces has one warp or several in x and 1 in y, or one in x and
/// several rows in y, each for one kept position; by columns, 32 kept positions in x, and in y the threads that share
/// each of them. Throws Error for element types that no kernel computes with.
std::string cudaText(const Kernel& kernel, const CudaForm& form);

}  // namespace aotscope
