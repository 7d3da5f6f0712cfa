#include "load/exported/recorded_type.h"

#include <memory>
#include <utility>

namespace aotscope {

namespace {

/// The number, or its expression.
SymExpr expressionOf(const exported::Integer& integer) { return integer.expression.value_or(integer.value); }

/// Null if all sizes are static, or if one cannot be expressed by the symbols.
std::shared_ptr<const SymbolicLayout> recordedLayout(const exported::TensorMeta& meta) {
    SymbolicLayout layout;
    bool varies = false, expressed = true;
    const auto take = [&](const exported::Integer& integer) {
        varies = varies || integer.symbolic;
        expressed = expressed && (!integer.symbolic || integer.expression);
        return expressionOf(integer);
    };
    for (const auto& size : meta.sizes) layout.sizes.push_back(take(size));
    for (const auto& stride : meta.strides) layout.strides.push_back(take(stride));
    layout.storageOffset = take(meta.storageOffset);
    return varies && expressed ? std::make_shared<SymbolicLayout>(std::move(layout)) : nullptr;
}

}  // namespace

ValueType recordedType(const exported::Graph& graph, const std::string& name) {
    if (const auto number = graph.integers.find(name); number != graph.integers.end())
        return {ScalarType{ScalarType::Kind::integer, static_cast<double>(number->second.value),
                           number->second.expression}};
    const auto it = graph.tensors.find(name);
    if (it == graph.tensors.end()) return {};
    const exported::TensorMeta& meta = it->second;
    TensorType type;
    type.dtype = meta.dtype;
    for (const auto& size : meta.sizes) type.sizes.push_back(size.value);
    for (const auto& stride : meta.strides) type.strides.push_back(stride.value);
    type.storageOffset = meta.storageOffset.value;
    type.device = meta.device;
    type.requiresGrad = meta.requiresGrad;
    type.symbolic = recordedLayout(meta);
    return {type};
}

}  // namespace aotscope
