#include "support/indexed_kernel.h"

#include <ATen/ATen.h>

namespace aotscope::test {

int offsetOf(KernelMaker& maker, int index, int tensor, int place, IndexRule rule) {
    const int value = maker.op(Opcode::offset, ComputeType::i64, {index});
    Instruction& offset = maker.kernel.code.back();
    offset.index = tensor;
    offset.indexed = place;
    offset.dimension = place;
    offset.rule = rule;
    return value;
}

int positionAlong(KernelMaker& maker, int dimension) {
    const int value = maker.op(Opcode::position, ComputeType::i64, {});
    maker.kernel.code.back().dimension = dimension;
    return value;
}

int indexedInput(KernelMaker& maker, DType dtype) {
    maker.kernel.inputs.push_back(dtype);
    return static_cast<int>(maker.kernel.inputs.size()) - 1;
}

IndexedKernel::IndexedKernel(std::uint32_t seed, DType dtype, bool accumulates)
    : random_(seed), dtype_(dtype), accumulates_(accumulates) {
    chooseSpace();
    const int rank = maker_.kernel.rank;
    const ComputeType computeType = *computeTypeOf(dtype);
    const int added = accumulates ? maker_.load(dtype, computeType) : -1;
    const int tensor = accumulates ? -1 : indexedInput(maker_, dtype);
    inputs_.push_back(accumulates ? values(space_) : at::Tensor());
    // The first dimensions are not indexed.
    const int direct = below(rank);
    std::vector<std::int64_t> shape(space_.begin(), space_.begin() + direct);
    shape.resize(static_cast<std::size_t>(rank), 1);
    for (int d = direct; accumulates && d < rank; ++d) maker_.kernel.sequential.push_back(d);
    std::array<std::int32_t, 3> offsets{-1, -1, -1};
    for (int place = 0, count = 1 + below(3); place < count; ++place) {
        shape.push_back(1 + below(20));
        offsets[static_cast<std::size_t>(place)] = offsetOf(maker_, index(direct, shape.back()), tensor, place);
    }
    tensor_ = values(shape);
    if (below(2) == 0) tensor_ = tensor_.transpose(0, -1).contiguous().transpose(0, -1);
    if (accumulates) {
        maker_.output(added, dtype);
        maker_.kernel.outputs[0].offsets = offsets;
        return;
    }
    inputs_[0] = tensor_;
    const int read = maker_.op(Opcode::gather, computeType, {offsets[0], offsets[1], offsets[2]});
    maker_.output(maker_.op(Opcode::add, computeType, {read, read}), dtype);
}

void IndexedKernel::chooseSpace() {
    constexpr int sizes[] = {1, 2, 3, 5, 16, 33, 70};
    maker_.kernel.rank = 1 + below(4);
    for (int d = 0; d < maker_.kernel.rank; ++d)
        space_.push_back(maker_.kernel.rank > 3 ? 1 + below(9) : sizes[below(7)]);
}

at::Tensor IndexedKernel::values(const std::vector<std::int64_t>& sizes) const {
    return at::randint(0, 3, sizes).to(scalarType(dtype_));
}

/// A value from -size to size - 1 that varies along some of the dimensions that are not direct.
int IndexedKernel::index(int direct, std::int64_t size) {
    if (below(3) == 0) {
        const int along = positionAlong(maker_, direct + below(maker_.kernel.rank - direct));
        const int factor = maker_.constant(ComputeType::i64, 1 + below(7));
        const int scaled = maker_.op(Opcode::mul, ComputeType::i64, {along, factor});
        const int end = maker_.constant(ComputeType::i64, static_cast<double>(size));
        return maker_.op(Opcode::remainder, ComputeType::i64, {scaled, end});
    }
    std::vector<std::int64_t> sizes(space_.size(), 1);
    for (std::size_t d = static_cast<std::size_t>(direct); d < sizes.size(); ++d)
        if (below(3) > 0) sizes[d] = space_[d];
    const DType dtype = below(2) == 0 ? DType::i32 : DType::i64;
    inputs_.push_back(at::randint(-size, size, sizes, scalarType(dtype)));
    return maker_.load(dtype, ComputeType::i64);
}

at::Tensor IndexedKernel::emptyResult() const {
    return accumulates_ ? tensor_.clone() : emptyOutputs(maker_.kernel, space_)[0];
}

at::Tensor IndexedKernel::expected() const { return runByLibTorch(maker_.kernel, inputs_, {}, space_, {tensor_})[0]; }

}  // namespace aotscope::test
