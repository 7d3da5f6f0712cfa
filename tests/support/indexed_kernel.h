#pragma once

#include "support/fused_reference.h"

#include <random>

namespace aotscope::test {

/// Functions that append instructions, and return their numbers.
int offsetOf(KernelMaker& maker, int index, int tensor, int place, IndexRule rule = IndexRule::wraps);
int positionAlong(KernelMaker& maker, int dimension);
/// An input that is read at indices; returns its number.
int indexedInput(KernelMaker& maker, DType dtype);

/// A random kernel that reads or adds elements of a tensor at indices: of inputs, of positions, or of both. The
/// elements are small integers, so that every order of additions gives the same.
class IndexedKernel {
public:
    IndexedKernel(std::uint32_t seed, DType dtype, bool accumulates);

    const Kernel& kernel() const { return maker_.kernel; }
    const std::vector<at::Tensor>& inputs() const { return inputs_; }
    /// What the kernel writes to, or adds to.
    at::Tensor emptyResult() const;
    at::Tensor expected() const;

private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    at::Tensor values(const std::vector<std::int64_t>& sizes) const;
    int index(int direct, std::int64_t size);
    void chooseSpace();

    std::mt19937 random_;
    DType dtype_;
    bool accumulates_;
    KernelMaker maker_;
    std::vector<std::int64_t> space_;
    std::vector<at::Tensor> inputs_;
    at::Tensor tensor_;  ///< that is indexed
};

}  // namespace aotscope::test
