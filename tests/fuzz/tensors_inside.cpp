#include "fuzz/tensors_inside.h"

#include "fuzz/expect.h"

#include <ATen/EmptyTensor.h>
#include <ATen/ops/clone.h>

namespace aotscope::fuzz {

void requireInside(const at::Tensor& tensor) {
    if (!tensor.defined() || !tensor.has_storage() || tensor.is_meta()) return;
    const std::size_t needed = at::detail::computeStorageNbytes(tensor.sizes(), tensor.strides(), tensor.itemsize(),
                                                                static_cast<std::size_t>(tensor.storage_offset()));
    expect(tensor.numel() == 0 || needed <= tensor.storage().nbytes(), "a tensor reaches beyond its storage");
    constexpr std::int64_t few = 1 << 16;  // expanded tensors may have any number
    if (tensor.numel() <= few && !tensor.is_quantized()) tensor.clone();
}

void requireInside(const c10::IValue& value) {
    value.visit([](const c10::IValue& part) {
        if (part.isTensor()) requireInside(part.toTensor());
        return false;
    });
}

}  // namespace aotscope::fuzz
