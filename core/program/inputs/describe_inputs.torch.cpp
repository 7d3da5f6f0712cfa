#include "program/inputs/describe_inputs.h"

#include "aten/convert.h"
#include "aten/tensors.h"
#include "program/files/declared_types.h"

#include <ATen/core/Dict.h>
#include <ATen/core/jit_type.h>

#include <unordered_map>

namespace aotscope {

namespace {

/// Converts values to items of a spec; tensors that are not plain leaves become views of a one-dimensional leaf that
/// represents their memory.
class Describer {
public:
    explicit Describer(const std::vector<c10::IValue>& values) {
        for (const auto& value : values) countStorages(value);
    }

    void add(const c10::IValue& value) { spec_.inputs.push_back(item(value)); }
    InputSpec take() { return std::move(spec_); }

private:
    static bool isDense(const at::Tensor& tensor) { return tensor.layout() == at::kStrided; }

    void countStorages(const c10::IValue& value) {
        if (isTensor(value) && isDense(value.toTensor())) {
            const at::Tensor& tensor = value.toTensor();
            if (++uses_[tensor.storage().unsafeGetStorageImpl()] > 1) return;
        } else if (value.isList()) {
            for (const auto& element : value.toListRef()) countStorages(element);
        } else if (value.isTuple()) {
            for (const auto& element : value.toTupleRef().elements()) countStorages(element);
        } else if (value.isGenericDict()) {
            for (const auto& entry : value.toGenericDict()) countStorages(entry.value());
        }
    }

    InputItem item(const c10::IValue& value) {
        if (isTensor(value)) return {InputItem::TensorRef{tensor(value.toTensor())}};
        if (value.isInt()) return {value.toInt()};
        if (value.isDouble()) return {value.toDouble()};
        if (value.isBool()) return {value.toBool()};
        if (value.isList() || value.isTuple()) {
            InputItem::List list;
            if (value.isTuple())
                for (const auto& element : value.toTupleRef().elements()) list.push_back(item(element));
            else
                for (const auto& element : value.toListRef()) list.push_back(item(element));
            return {list};
        }
        if (value.isGenericDict()) {
            InputItem::Dict dict;
            for (const auto& entry : value.toGenericDict())
                dict.push_back({dictKeyText(entry.key()), item(entry.value())});
            return {dict};
        }
        return {InputItem::None{}};
    }

    std::size_t tensor(const at::Tensor& tensor) {
        const TensorType type = typeOf(tensor);
        LeafSpec leaf;
        leaf.dtype = type.dtype;
        leaf.requiresGrad = tensor.requires_grad();
        if (!tensor.device().is_cpu()) leaf.device = type.device.name;
        const bool plain = !isDense(tensor) || (tensor.is_contiguous() && tensor.storage_offset() == 0 &&
                                                uses_[tensor.storage().unsafeGetStorageImpl()] == 1);
        if (plain) {
            leaf.shape = type.sizes;
            return append(leaf);
        }
        const std::size_t base = memory(tensor, leaf);
        DerivedSpec view;
        view.op = "as_strided";
        view.of = base;
        view.args = {type.sizes, type.strides, static_cast<double>(tensor.storage_offset())};
        return append(std::move(view));
    }

    /// The leaf for the memory of `tensor`. Views of another dtype get separate memory.
    std::size_t memory(const at::Tensor& tensor, LeafSpec leaf) {
        const std::pair key(tensor.storage().unsafeGetStorageImpl(), leaf.dtype);
        if (const auto known = memories_.find(key); known != memories_.end()) return known->second;
        leaf.shape = {static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.element_size())};
        return memories_[key] = append(leaf);
    }

    std::size_t append(ValueSpec value) {
        spec_.values.push_back(std::move(value));
        return spec_.values.size() - 1;
    }

    InputSpec spec_;
    std::unordered_map<const c10::StorageImpl*, int> uses_;
    std::map<std::pair<const c10::StorageImpl*, DType>, std::size_t> memories_;
};

std::string exampleKey(const c10::Type& type) {
    using Kind = c10::TypeKind;
    if (type.kind() == Kind::BoolType) return "true";
    return type.kind() == Kind::IntType || type.kind() == Kind::FloatType ? "0" : "key";
}

InputItem blank(const c10::Type& type, InputSpec& spec) {
    using Kind = c10::TypeKind;
    switch (type.kind()) {
        case Kind::IntType: return {std::int64_t{1}};
        case Kind::FloatType: return {1.0};
        case Kind::BoolType: return {false};
        case Kind::NoneType:
        case Kind::OptionalType: return {InputItem::None{}};
        case Kind::ListType: return {InputItem::List{blank(*type.expectRef<c10::ListType>().getElementType(), spec)}};
        case Kind::TupleType: {
            InputItem::List list;
            for (const auto& element : type.expectRef<c10::TupleType>().elements())
                list.push_back(blank(*element, spec));
            return {list};
        }
        case Kind::DictType: {
            InputItem::Dict dict;
            const auto& dictType = type.expectRef<c10::DictType>();
            dict.push_back({exampleKey(*dictType.getKeyType()), blank(*dictType.getValueType(), spec)});
            return {dict};
        }
        default: break;
    }
    LeafSpec leaf;
    leaf.shape = {8, 3, 64, 64};
    spec.values.emplace_back(leaf);
    return {InputItem::TensorRef{spec.values.size() - 1}};
}

}  // namespace

InputSpec describeInputs(const std::vector<c10::IValue>& values) {
    Describer describer(values);
    for (const auto& value : values) describer.add(value);
    return describer.take();
}

InputSpec blankInputs(const Program& program) {
    InputSpec spec;
    for (const auto& input : program.inputs()) {
        if (input.defaultValue) break;
        InputItem item = blank(*input.type, spec);
        spec.inputs.push_back(std::move(item));
    }
    return spec;
}

}  // namespace aotscope
