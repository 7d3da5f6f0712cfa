#include "verify/varying_inputs.h"

#include "aten/dense_strides.h"
#include "support/error.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty_strided.h>

#include <algorithm>

namespace aotscope {

namespace {

at::Tensor resize(const at::Tensor& original, const std::vector<int64_t>& sizes, c10::Device device) {
    at::Tensor result = at::empty_strided(sizes, denseStridesLike(original.strides(), sizes),
                                          original.options().device(device).requires_grad(false));
    if (device.is_meta()) return result.set_requires_grad(original.requires_grad());
    const at::NoGradGuard noGrad;
    at::Tensor values = original.detach();
    for (int64_t d = 0; d < original.dim(); ++d) {
        const int64_t size = sizes[static_cast<std::size_t>(d)];
        if (size == original.size(d)) continue;
        values = values.index_select(d, at::arange(size, at::kLong).remainder(std::max<int64_t>(original.size(d), 1)));
    }
    return result.copy_(values).set_requires_grad(original.requires_grad());
}

}  // namespace

std::vector<c10::IValue> resizeInputs(const std::vector<c10::IValue>& recorded,
                                      const std::vector<VaryingDimension>& dimensions, const SymbolValues& sizes,
                                      c10::Device device) {
    std::size_t leaf = 0;
    std::vector<c10::IValue> inputs;
    for (const auto& value : recorded) {
        std::vector<c10::IValue> leaves;
        const Structure structure = flatten(value, leaves, "a recorded input");
        for (auto& element : leaves) {
            const std::size_t index = leaf++;
            if (!element.isTensor() || !element.toTensor().defined()) continue;
            const at::Tensor& original = element.toTensor();
            std::vector<int64_t> wanted = original.sizes().vec();
            for (const VaryingDimension& d : dimensions)
                if (const auto it = sizes.find(d.size);
                    d.leaf == index && d.dimension < original.dim() && it != sizes.end())
                    wanted[static_cast<std::size_t>(d.dimension)] = it->second;
            element = resize(original, wanted, device);
        }
        std::size_t next = 0;
        inputs.push_back(unflatten(structure, leaves, next));
    }
    return inputs;
}

std::vector<SymbolBinding> findBindings(const std::vector<Symbol>& symbols, std::size_t stateCount,
                                        const std::function<std::vector<c10::IValue>(const SymbolValues&)>& leavesAt) {
    SymbolValues hints;
    for (const Symbol& symbol : symbols) hints[symbol.name] = symbol.hint;
    const auto base = leavesAt(hints);
    std::vector<SymbolBinding> bindings;
    for (const Symbol& symbol : symbols) {
        const std::int64_t other = symbol.hint < symbol.max ? symbol.hint + 1 : symbol.hint - 1;
        SymbolValues values = hints;
        values[symbol.name] = other;
        const auto moved = leavesAt(values);
        const std::size_t before = bindings.size();
        for (std::size_t i = 0; i < base.size(); ++i) {
            if (base[i].isInt() && base[i].toInt() == symbol.hint && moved[i].toInt() == other)
                bindings.push_back({symbol.name, stateCount + i, SymbolBinding::kValue});
            if (!base[i].isTensor() || !base[i].toTensor().defined()) continue;
            const at::Tensor &a = base[i].toTensor(), &b = moved[i].toTensor();
            for (int64_t d = 0; d < a.dim(); ++d)
                if (a.size(d) == symbol.hint && b.size(d) == other)
                    bindings.push_back({symbol.name, stateCount + i, d});
        }
        if (bindings.size() == before)
            throw Error("'" + symbol.name + "' (" + symbol.origin +
                        ") is not the size of any input dimension; name a dimension of an input, as in \"shape\": "
                        "[\"batch\", 3]");
    }
    return bindings;
}

}  // namespace aotscope
