#include "compile/fused/cuda/launch.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

namespace aotscope {

namespace {

/// A remaining dimension, with the strides of all inputs, then of all outputs; 0 where one is expanded along it.
struct Dimension {
    std::int64_t size = 1;
    std::vector<std::int64_t> strides;

    std::int64_t sumOfStrides() const { return std::accumulate(strides.begin(), strides.end(), std::int64_t{0}); }
};
using Dimensions = std::vector<Dimension>;

std::int64_t count(const Dimensions& dimensions) {
    std::int64_t product = 1;
    for (const Dimension& dimension : dimensions) product *= dimension.size;
    return product;
}

/// Innermost last; dimensions that can be iterated as one are merged.
Dimensions collapsed(Dimensions all) {
    std::stable_sort(all.begin(), all.end(),
                     [](const Dimension& a, const Dimension& b) { return a.sumOfStrides() > b.sumOfStrides(); });
    Dimensions list;
    for (Dimension& inner : all) {
        const auto follows = [&](const Dimension& outer) {
            for (std::size_t i = 0; i < inner.strides.size(); ++i)
                if (outer.strides[i] != inner.strides[i] * inner.size) return false;
            return true;
        };
        if (!list.empty() && follows(list.back())) inner.size *= list.back().size, list.pop_back();
        list.push_back(std::move(inner));
    }
    return list;
}

struct Space {
    Dimensions kept, reduced;
};

/// The positions along some dimensions count as further tensors, so that these are not merged with others.
Space spaceOf(const Kernel& kernel, const std::vector<at::Tensor>& tensors) {
    Space space;
    const std::vector<int> counted = countedDimensions(kernel);
    for (int d = 0; d < kernel.rank; ++d) {
        Dimension dimension;
        for (const at::Tensor& tensor : tensors) {
            if (tensor.size(d) != 1) dimension.size = tensor.size(d);
            dimension.strides.push_back(tensor.size(d) == 1 ? 0 : tensor.stride(d));
        }
        if (dimension.size == 1) continue;
        for (const int other : counted) dimension.strides.push_back(other == d ? 1 : 0);
        const std::vector<int>& inner = kernel.sequential.empty() ? kernel.reduced : kernel.sequential;
        const bool reduced = std::find(inner.begin(), inner.end(), d) != inner.end();
        (reduced ? space.reduced : space.kept).push_back(std::move(dimension));
    }
    return {collapsed(std::move(space.kept)), collapsed(std::move(space.reduced))};
}

bool needsWideOffsets(const Space& space, const std::vector<at::Tensor>& tensors, int rank) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    if (count(space.kept) > kMost || count(space.reduced) > kMost) return true;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        std::int64_t last = 0;
        for (std::int64_t d = rank; d < tensors[i].dim(); ++d) last += (tensors[i].size(d) - 1) * tensors[i].stride(d);
        for (const Dimensions* dimensions : {&space.kept, &space.reduced})
            for (const Dimension& dimension : *dimensions) last += (dimension.size - 1) * dimension.strides[i];
        if (last > kMost) return true;
    }
    return false;
}

/// Lets a thread process as many elements as 16 bytes hold, where the layout allows vectorized access.
void pack(CudaForm& form, Dimensions& dimensions, const std::vector<at::Tensor>& tensors, std::size_t inputs) {
    if (dimensions.empty()) return;
    Dimension& inner = dimensions.back();
    const auto isPacked = [&](std::size_t i) { return inner.strides[i] != 0; };
    std::int64_t largest = 1;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (isPacked(i)) largest = std::max(largest, static_cast<std::int64_t>(tensors[i].element_size()));
    const std::int64_t size = 16 / largest;
    if (inner.size % size != 0) return;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (!isPacked(i)) continue;
        const auto address = reinterpret_cast<std::uintptr_t>(tensors[i].const_data_ptr());
        if (inner.strides[i] != 1 || address % static_cast<std::uintptr_t>(size * tensors[i].element_size()) != 0)
            return;
        for (const Dimension& dimension : dimensions)
            if (&dimension != &inner && dimension.strides[i] % size != 0) return;
    }
    form.pack = static_cast<int>(size);
    for (std::size_t i = 0; i < inputs; ++i) form.repeated.push_back(!isPacked(i));
    inner.size /= size;
    for (std::int64_t& stride : inner.strides) stride *= size;
}

/// Whether kept positions are closer together than reduced ones.
bool keptIsInner(const Space& space) {
    return !space.kept.empty() && !space.reduced.empty() &&
           space.kept.back().sumOfStrides() < space.reduced.back().sumOfStrides();
}

std::int64_t quotientUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

void chooseThreads(CudaLaunch& launch, const Kernel& kernel, std::int64_t kept, std::int64_t reduced) {
    constexpr std::int64_t kMostBlocks = 1 << 16;  // of pointwise kernels, whose threads loop over the rest
    if (kernel.reduced.empty()) {
        launch.threadsX = 256;
        launch.blocks = static_cast<unsigned>(std::min(quotientUp(kept, launch.threadsX), kMostBlocks));
        return;
    }
    if (launch.form.columns) {
        launch.threadsX = kCudaWarp;
        launch.threadsY = reduced >= 64 ? 16 : reduced >= 8 ? 4 : 1;
    } else {
        launch.threadsX = reduced > 4096 ? kCudaThreads : reduced > 1024 ? 256 : kCudaWarp;
        launch.threadsY = launch.threadsX == kCudaWarp ? 4 : 1;
    }
    launch.blocks = static_cast<unsigned>(quotientUp(kept, launch.form.columns ? launch.threadsX : launch.threadsY));
}

/// The bytes of a value whose type is at most this large.
template <typename T>
std::uint64_t bytesOf(T value) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, &value, sizeof value);
    return bytes;
}

/// Whether neighbouring positions differ only in the elements that they read and write.
bool isPlain(const Kernel& kernel) {
    const auto isIndexed = [](const Instruction& i) { return i.op == Opcode::offset || i.op == Opcode::position; };
    return kernel.reduced.empty() && std::none_of(kernel.code.begin(), kernel.code.end(), isIndexed);
}

}  // namespace

CudaLaunch::CudaLaunch(const Kernel& kernel, c10::ArrayRef<at::Tensor> inputs, c10::ArrayRef<c10::Scalar> numbers,
                       c10::ArrayRef<at::Tensor> outputs) {
    std::vector<at::Tensor> tensors = inputs.vec();
    tensors.insert(tensors.end(), outputs.begin(), outputs.end());
    Space space = spaceOf(kernel, tensors);
    form.wide = needsWideOffsets(space, tensors, kernel.rank);
    form.columns = !kernel.reduced.empty() && keptIsInner(space);
    if (isPlain(kernel)) pack(form, space.kept, tensors, inputs.size());
    form.kept = static_cast<int>(space.kept.size());
    form.reduced = static_cast<int>(space.reduced.size());
    chooseThreads(*this, kernel, count(space.kept), count(space.reduced));

    // Little-endian: the low half comes first.
    const auto add = [&](std::int64_t value) { values.push_back(static_cast<std::uint64_t>(value)); };
    const std::vector<bool> kept = keptOnly(kernel);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const bool isInput = i < inputs.size();
        values.push_back(bytesOf(isInput ? tensors[i].const_data_ptr() : tensors[i].mutable_data_ptr()));
        for (const Dimension& dimension : space.kept) add(dimension.strides[i]);
        const bool isKept = !isInput && !kernel.reduced.empty() &&
                            kept[static_cast<std::size_t>(kernel.outputs[i - inputs.size()].value)];
        if (!isKept)
            for (const Dimension& dimension : space.reduced) add(dimension.strides[i]);
        for (std::int64_t d = kernel.rank; d < tensors[i].dim(); ++d)
            add(tensors[i].size(d)), add(tensors[i].stride(d));
    }
    for (std::size_t c = 0; c < countedDimensions(kernel).size(); ++c) {
        for (const Dimension& dimension : space.kept) add(dimension.strides[tensors.size() + c]);
        for (const Dimension& dimension : space.reduced) add(dimension.strides[tensors.size() + c]);
    }
    for (std::size_t i = 0; i < numbers.size(); ++i)
        values.push_back(kernel.numbers[i] == ComputeType::i64 ? bytesOf(numbers[i].toLong())
                                                               : bytesOf(numbers[i].toDouble()));
    const auto addSizes = [&](const Dimensions& dimensions) {
        add(count(dimensions));
        for (std::size_t d = 1; d < dimensions.size(); ++d) add(dimensions[d].size);
    };
    addSizes(space.kept);
    if (!kernel.reduced.empty() || !kernel.sequential.empty()) addSizes(space.reduced);
}

}  // namespace aotscope
