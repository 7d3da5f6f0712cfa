#include "program/files/tensor_bytes.h"

#include "ir/types.h"
#include "support/error.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace aotscope {

std::int64_t checkedElements(const std::vector<std::int64_t>& sizes) {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    constexpr std::size_t mostDimensions = 64;
    if (sizes.size() > mostDimensions) throw Error("of " + std::to_string(sizes.size()) + " dimensions");
    std::int64_t bound = 1;
    bool empty = false;
    for (auto size : sizes) {
        if (size < 0 || size > most) throw Error("with a dimension of size " + std::to_string(size));
        empty |= size == 0;
        if (bound > most / std::max<std::int64_t>(size, 1)) throw Error("of more than 2^40 elements");
        bound *= std::max<std::int64_t>(size, 1);
    }
    return empty ? 0 : bound;
}

at::Tensor tensorInFile(const std::shared_ptr<MappedFile>& file, std::size_t offset,
                        const std::vector<std::int64_t>& sizes, at::ScalarType dtype) {
    const std::size_t itemSize = c10::elementSize(dtype);
    const std::size_t bytes = static_cast<std::size_t>(checkedElements(sizes)) * itemSize;
    const auto options = at::TensorOptions().dtype(dtype);
    if (bytes == 0) return at::empty(sizes, options);
    char* const start = file->data() + offset;
    if (dtype == at::kBool) {
        const at::Tensor raw = at::from_blob(start, sizes, at::TensorOptions().dtype(at::kByte));
        return raw.ne(0);
    }
    if (reinterpret_cast<std::uintptr_t>(start) % std::min<std::size_t>(itemSize, alignof(std::max_align_t)) != 0) {
        at::Tensor copy = at::empty(sizes, options);
        std::memcpy(copy.mutable_data_ptr(), start, bytes);
        return copy;
    }
    return at::from_blob(
        start, sizes, contiguousStrides(sizes), [file](void*) {}, options);
}

}  // namespace aotscope
