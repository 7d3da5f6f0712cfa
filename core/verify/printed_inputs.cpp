#include "verify/printed_inputs.h"

#include "ops/op_table.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <unordered_set>

namespace aotscope {

namespace {

constexpr std::size_t kMostFollowed = 1000;  ///< values that have the elements of an input

template <std::size_t count>
bool isOneOf(std::string_view name, const std::array<std::string_view, count>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Passes its first argument on, element by element or as a view.
bool passesOn(const Node& node) {
    static constexpr std::array<std::string_view, 4> kOthers = {"clone", "_to_copy", "convert_element_type", "where"};
    return hasTag(node, kView) || isOneOf(shortOpName(node.op()), kOthers);
}

std::optional<std::int64_t> sizeOf(const Argument& of, std::int64_t dimension) {
    const TensorType* type = of.node() ? of.node()->type.tensor() : nullptr;
    if (!type) return std::nullopt;
    if (dimension < 0) dimension += static_cast<std::int64_t>(type->sizes.size());
    if (dimension < 0 || dimension >= static_cast<std::int64_t>(type->sizes.size())) return std::nullopt;
    return type->sizes[static_cast<std::size_t>(dimension)];
}

/// The number of different indices that `user` accepts in its argument at `position`; nothing if it is no index.
std::optional<std::int64_t> indicesOf(const Node& user, std::size_t position) {
    static constexpr std::array<std::string_view, 8> kAlong = {
        "gather", "scatter", "scatter_add", "scatter_reduce", "index_select", "index_add", "index_copy", "index_fill"};
    const auto op = shortOpName(user.op());
    const auto& args = user.args();
    const auto integer = [&](std::size_t i) {
        const auto* value = i < args.size() ? args[i].integer() : nullptr;
        return value ? std::optional(*value) : std::nullopt;
    };
    if (op == "embedding" && position == 1) return sizeOf(args[0], 0);
    if (op == "embedding_dense_backward" && position == 1) return integer(2);
    if (isOneOf(op, kAlong) && position == 2 && integer(1)) return sizeOf(args[0], *integer(1));
    if (op.starts_with("nll_loss") && position == (op.ends_with("_backward") ? 2U : 1U)) {
        const Argument& scores = args[position - 1];
        return sizeOf(scores, sizeOf(scores, 1) ? 1 : 0);
    }
    if (op == "max_pool2d_with_indices_backward" && position == 7) {
        const auto rows = sizeOf(args[1], -2), columns = sizeOf(args[1], -1);
        if (rows && columns && *columns > 0 && *rows < std::numeric_limits<std::int32_t>::max() / *columns)
            return *rows * *columns;
    }
    return std::nullopt;
}

/// The same for the tensors in a list of indices: each is for one dimension.
std::optional<std::int64_t> indicesInList(const Node& user, const Node& index) {
    static constexpr std::array<std::string_view, 5> kListed = {"index", "index_put", "_unsafe_index",
                                                                "_unsafe_index_put", "_index_put_impl"};
    const auto* list = user.args().size() > 1 ? user.args()[1].list() : nullptr;
    if (!list || !isOneOf(shortOpName(user.op()), kListed)) return std::nullopt;
    std::optional<std::int64_t> least;
    for (std::size_t i = 0; i < list->size(); ++i)
        if ((*list)[i].node() == &index)
            if (const auto size = sizeOf(user.args()[0], static_cast<std::int64_t>(i)))
                least = std::min(least.value_or(*size), *size);
    return least;
}

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

/// The smallest table that the elements of `input` index.
std::optional<std::int64_t> smallestTable(const Node& input) {
    std::optional<std::int64_t> least;
    const auto take = [&](std::optional<std::int64_t> size) {
        if (size) least = std::min(least.value_or(*size), *size);
    };
    for (const Node* value : reachedFrom(input, [](const Node&user, const Node& /*value*/) { return passesOn(user); }))
        for (const Node* user : value->users()) {
            if (user->kind() != NodeKind::call) continue;
            take(indicesInList(*user, *value));
            for (std::size_t i = 0; i < user->args().size(); ++i)
                if (user->args()[i].node() == value) take(indicesOf(*user, i));
        }
    return least;
}

bool isArgument(const Node& user, std::size_t position, const Node& value) {
    return position < user.args().size() && user.args()[position].node() == &value;
}

/// Whether a negative element would make a NaN.
bool mustBePositive(const Node& input) {
    static constexpr std::array<std::string_view, 5> kDomain = {"sqrt", "rsqrt", "log", "log2", "log10"};
    const auto passes = [](const Node& user, const Node& value) {
        static constexpr std::array<std::string_view, 3> kThrough = {"add", "clone", "convert_element_type"};
        return (hasTag(user, kView) || isOneOf(shortOpName(user.op()), kThrough)) && isArgument(user, 0, value);
    };
    const auto wants = [](const Node& user, const Node& value) {
        const auto op = shortOpName(user.op());
        const bool variance = op.find("batch_norm") != std::string_view::npos && isArgument(user, 4, value);
        return user.kind() == NodeKind::call && (isOneOf(op, kDomain) || variance);
    };
    for (const Node* value : reachedFrom(input, passes))
        for (const Node* user : value->users())
            if (wants(*user, *value)) return true;
    return false;
}

bool isReal(DType dtype) {
    switch (dtype) {
        case DType::f16:
        case DType::f32:
        case DType::f64:
        case DType::bf16: return true;
        default: return false;
    }
}

bool isIntegral(DType dtype) {
    switch (dtype) {
        case DType::u8:
        case DType::i8:
        case DType::i16:
        case DType::i32:
        case DType::i64:
        case DType::u16:
        case DType::u32:
        case DType::u64: return true;
        default: return false;
    }
}

Fill fillFor(const Node& input, DType dtype) {
    if (isReal(dtype)) return {mustBePositive(input) ? Fill::Plain::rand : Fill::Plain::randn};
    if (!isIntegral(dtype)) return {Fill::Plain::randn};
    std::int64_t bound = smallestTable(input).value_or(Fill::Randint{}.high);
    const auto bits = 8 * itemSize(dtype);
    if (bits < 16) bound = std::min<std::int64_t>(bound, std::int64_t{1} << (bits - 1));
    return {Fill::Randint{0, std::max<std::int64_t>(bound, 1)}};
}

std::size_t append(InputSpec& spec, ValueSpec value) {
    spec.values.push_back(std::move(value));
    return spec.values.size() - 1;
}

/// A tensor that is not contiguous is a view of a one-dimensional leaf.
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
