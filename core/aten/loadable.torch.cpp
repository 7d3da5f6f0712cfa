#include "aten/loadable.h"

#include "aten/convert.h"
#include "aten/tensors.h"

#include <ATen/ops/zeros.h>

namespace aotscope {

namespace {

bool hasStorageClass(at::ScalarType type) {
    return at::isQIntType(type) || !spellingsOf(toDType(type)).storage.empty();
}

at::ScalarType integersLike(const at::Tensor& tensor) {
    switch (tensor.element_size()) {
        case 1: return at::kByte;
        case 2: return at::kShort;
        case 4: return at::kInt;
        default: return at::kLong;
    }
}

}  // namespace

c10::IValue LoadableTensors::of(const at::Tensor& tensor) {
    if (!tensor.defined()) return {};
    if (tensor._is_zerotensor()) return of(at::zeros(tensor.sizes(), tensor.options()));
    const at::Tensor plain = tensor.detach().resolve_conj().resolve_neg();
    if (plain.layout() != at::kStrided) return plain;
    if (hasStorageClass(plain.scalar_type())) return ofOneType(plain);
    const std::string dtype(longName(toDType(plain.scalar_type())));
    return c10::ivalue::Tuple::create({ofOneType(plain.view(integersLike(plain))), c10::IValue(dtype)});
}

at::Tensor LoadableTensors::ofOneType(const at::Tensor& tensor) {
    const auto [known, isNew] = types_.try_emplace(storageOf(tensor), tensor.scalar_type());
    if (!isNew && known->second != tensor.scalar_type()) return ofOneType(tensor.clone());
    keepAlive_.push_back(tensor);
    return tensor;
}

}  // namespace aotscope
