#include "load/exported/weight_binding.h"

#include "aten/convert.h"
#include "support/error.h"

namespace aotscope {

namespace {

constexpr std::size_t kListed = 5;

std::string described(c10::IntArrayRef sizes, DType dtype) {
    return std::string(longName(dtype)) + " " + c10::str(sizes);
}

/// The problem with one tensor, or empty.
std::string complaint(const TensorsByName& given, const WantedTensor& wanted) {
    const auto it = given.find(wanted.name);
    if (it == given.end()) return wanted.name + " is missing (" + described(wanted.sizes, wanted.dtype) + ")";
    const at::Tensor& tensor = it->second;
    if (tensor.sizes() == c10::IntArrayRef(wanted.sizes) && tensor.scalar_type() == toScalarType(wanted.dtype))
        return {};
    return wanted.name + " is " + described(tensor.sizes(), toDType(tensor.scalar_type())) + " instead of " +
           described(wanted.sizes, wanted.dtype);
}

}  // namespace

void requireTensors(const TensorsByName& given, const std::vector<WantedTensor>& wanted) {
    std::size_t wrong = 0;
    std::string list;
    for (const auto& tensor : wanted) {
        const std::string text = complaint(given, tensor);
        if (text.empty()) continue;
        if (++wrong <= kListed) list += (list.empty() ? "" : ", ") + text;
    }
    if (wrong == 0) return;
    if (wrong > kListed) list += " and " + std::to_string(wrong - kListed) + " more";
    throw Error("the given weights do not fit the model: " + list);
}

}  // namespace aotscope
