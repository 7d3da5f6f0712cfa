#include "trace/data_replay.h"

#include "aten/convert.h"
#include "aten/fake_tensor.h"
#include "support/error.h"
#include "trace/evaluate.h"

namespace aotscope {

namespace {

DataResult resultOf(const ValueType& type) {
    DataResult result;
    if (const TensorType* tensor = type.tensor()) {
        result.isTensor = true;
        result.sizes = tensor->sizes;
        result.strides = tensor->strides;
        result.dtype = toScalarType(tensor->dtype);
    } else if (const auto* number = type.scalar()) {
        switch (number->kind) {
            case ScalarType::Kind::integer: result.number = static_cast<std::int64_t>(number->hint); break;
            case ScalarType::Kind::real: result.number = number->hint; break;
            case ScalarType::Kind::boolean: result.number = number->hint != 0; break;
        }
    }
    return result;
}

}  // namespace

DataReading readingOf(const Node& node) {
    DataReading reading{node.op(), {}};
    if (const auto* tuple = node.type.tuple())
        for (const ValueType& type : *tuple) reading.results.push_back(resultOf(type));
    else reading.results.push_back(resultOf(node.type));
    return reading;
}

void DataReplay::replay(const Node& node, const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    const DataReading& reading = values_->reading(next_++, node.op());
    readings_.push_back({node.id(), reading.results, false});
    FakeEvaluator::replay(op, reading, stack);
}

void DataReplay::noteMasks(const std::vector<at::Tensor>& masks) {
    if (masks.empty()) return;
    const DataReading& reading = values_->reading(next_++, kMaskedWrite);
    check(reading.results.size() == masks.size(), "a write has as many masks as in the eager run");
    for (std::size_t i = 0; i < masks.size(); ++i) places_[valueKey(masks[i])] = reading.results[i];
}

void DataReplay::indexByPlaces(const c10::OperatorHandle& op, torch::jit::Stack& stack, TracedGraph& graph) {
    c10::List<std::optional<at::Tensor>> places;
    for (const std::optional<at::Tensor>& index : stack.back().toOptionalTensorVector()) {
        const auto known = index && index->defined() ? places_.find(valueKey(*index)) : places_.end();
        if (known == places_.end()) {
            places.push_back(index);
            continue;
        }
        readings_.push_back({graph.valueOf(*index).node()->id(), {known->second}, true});
        const auto& sizes = known->second.sizes;  // one row for each position
        const at::Tensor indices = makeFake(emptyMeta({sizes[0]}, {1}, at::kLong), index->device());
        for (std::int64_t dim = 0; dim < sizes[1]; ++dim) places.push_back(indices);
    }
    stack.back() = std::move(places);
    if (dependsOnData(op, torch::jit::last(stack, op.schema().arguments().size())))
        throw Error(
            "the backward selects elements by a mask that the forward did not write by; multiply by the mask "
            "instead");
}

}  // namespace aotscope
