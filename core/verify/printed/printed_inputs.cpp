#include "verify/printed/printed_inputs.h"

#include "ops/op_table.h"
#include "verify/plain_name.h"
#include "verify/printed/index_range.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <vector>

namespace aotscope {

namespace {

constexpr std::size_t kMostFollowed = 1000;  ///< number of values with the elements of an input

/// `input`, and the values that its elements are passed on to.
std::vector<const Node*> reachedFrom(const Node& input, bool (*passes)(const Node& user, const Node& value)) {
    std::vector<const Node*> values = {&input};
    std::unordered_set<const Node*> seen = {&input};
    for (std::size_t i = 0; i < values.size(); ++i)
        for (const Node* user : values[i]->users())
            if (values.size() < kMostFollowed && user->kind() == NodeKind::call && passes(*user, *values[i]) &&
                seen.insert(user).second)
                values.push_back(user);
    return values;
}

bool isArgument(const Node& user, std::size_t position, const Node& value) {
    return position < user.args().size() && user.args()[position].node() == &value;
}

/// Whether `user` takes probabilities in this argument.
bool isProbability(const Node& user, const Node& value) {
    const auto op = plainName(user);
    if (op == "binary_cross_entropy") return isArgument(user, 0, value) || isArgument(user, 1, value);
    return op == "binary_cross_entropy_backward" && (isArgument(user, 1, value) || isArgument(user, 2, value));
}

/// Whether a negative element would cause a NaN or an error.
bool mustBePositive(const Node& input) {
    static constexpr std::array<std::string_view, 5> kDomain = {"sqrt", "rsqrt", "log", "log2", "log10"};
    const auto passes = [](const Node& user, const Node& value) {
        static constexpr std::array<std::string_view, 3> kThrough = {"add", "clone", "convert_element_type"};
        return (hasTag(user, kView) || isOneOf(shortOpName(user.op()), kThrough)) && isArgument(user, 0, value);
    };
    const auto wants = [](const Node& user, const Node& value) {
        const auto op = shortOpName(user.op());
        const bool variance = op.find("batch_norm") != std::string_view::npos && isArgument(user, 4, value);
        return user.kind() == NodeKind::call && (isOneOf(op, kDomain) || variance || isProbability(user, value));
    };
    for (const Node* value : reachedFrom(input, passes))
        for (const Node* user : value->users())
            if (wants(*user, *value)) return true;
    return false;
}

Fill fillFor(const Node& input, DType dtype) {
    if (kindOf(dtype) == DTypeKind::real) return {mustBePositive(input) ? Fill::Plain::rand : Fill::Plain::randn};
    if (kindOf(dtype) != DTypeKind::integer) return {Fill::Plain::randn};
    const IndexRange range = indexRange(input);
    std::int64_t bound = range.high.value_or(Fill::Randint{}.high);
    const auto bits = 8 * itemSize(dtype);
    if (bits < 16) bound = std::min<std::int64_t>(bound, std::int64_t{1} << (bits - 1));
    return {Fill::Randint{range.low, std::max(bound, range.low + 1)}};
}

std::size_t append(InputSpec& spec, ValueSpec value) {
    spec.values.push_back(std::move(value));
    return spec.values.size() - 1;
}

/// A non-contiguous tensor is a view of a one-dimensional leaf.
std::size_t addTensor(InputSpec& spec, const Node& input, const TensorType& type, bool differentiable) {
    LeafSpec leaf;
    leaf.dtype = type.dtype;
    leaf.requiresGrad = differentiable;
    leaf.fill = fillFor(input, type.dtype);
    leaf.shape = type.sizes;
    if (type.isContiguous() || type.numel() == 0) return append(spec, std::move(leaf));
    leaf.shape = {type.end() - type.storageOffset};
    DerivedSpec view;
    view.op = "as_strided";
    view.of = append(spec, std::move(leaf));
    view.args = {type.sizes, type.strides, 0.0};
    return append(spec, std::move(view));
}

InputItem number(const ScalarType& scalar) {
    switch (scalar.kind) {
        case ScalarType::Kind::boolean: return {scalar.hint != 0};
        case ScalarType::Kind::real: return {scalar.hint};
        default: return {static_cast<std::int64_t>(scalar.hint)};
    }
}

}  // namespace

std::string whyNoValue(const Node& input) {
    if (input.type.tensor() || input.type.scalar()) return {};
    return "the size of '" + input.name() + "' is not known";
}

InputSpec printedInputSpec(const std::vector<Node*>& inputs, const std::vector<bool>& differentiable) {
    InputSpec spec;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const ValueType& type = inputs[i]->type;
        if (const TensorType* tensor = type.tensor())
            spec.inputs.push_back({InputItem::TensorRef{addTensor(spec, *inputs[i], *tensor, differentiable[i])}});
        else if (const ScalarType* scalar = type.scalar()) spec.inputs.push_back(number(*scalar));
        else spec.inputs.push_back({InputItem::None{}});
    }
    return spec;
}

}  // namespace aotscope
