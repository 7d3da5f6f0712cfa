#include "verify/printed_inputs.h"

#include "ops/op_table.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

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

/// The name without its overload, and without the underscore of what writes in place.
std::string_view plainName(const Node& user) {
    auto op = shortOpName(user.op());
    if (op.ends_with('_')) op.remove_suffix(1);
    return op;
}

std::optional<std::int64_t> numelOf(const Argument& of) {
    const TensorType* type = of.node() ? of.node()->type.tensor() : nullptr;
    return type ? std::optional(type->numel()) : std::nullopt;
}

/// How many places the last two dimensions have.
std::optional<std::int64_t> placesOf(const Argument& image) {
    const auto rows = sizeOf(image, -2), columns = sizeOf(image, -1);
    if (!rows || !columns || *columns <= 0 || *rows >= std::numeric_limits<std::int32_t>::max() / *columns)
        return std::nullopt;
    return *rows * *columns;
}

/// The same for operators whose index is not along a dimension.
std::optional<std::int64_t> placesIn(std::string_view op, std::size_t position, const std::vector<Argument>& args) {
    if ((op == "take" || op == "put") && position == 1) return numelOf(args[0]);
    if (op == "max_pool2d_with_indices_backward" && position == 7) return placesOf(args[1]);
    if (op == "adaptive_max_pool2d_backward" && position == 2) return placesOf(args[1]);
    if (op.ends_with("embedding_bag") && position == 1) return sizeOf(args[0], 0);
    if (op.ends_with("embedding_bag") && position == 2) return 1;  // where bags begin: all with the first element
    return std::nullopt;
}

/// The number of different indices that `user` accepts in its argument at `position`; nothing if it is no index.
std::optional<std::int64_t> indicesOf(const Node& user, std::size_t position) {
    static constexpr std::array<std::string_view, 9> kAlong = {"gather",         "scatter",      "scatter_add",
                                                               "scatter_reduce", "index_select", "index_add",
                                                               "index_copy",     "index_fill",   "index_reduce"};
    const auto op = plainName(user);
    const auto& args = user.args();
    const auto integer = [&](std::size_t i) {
        const auto* value = i < args.size() ? args[i].integer() : nullptr;
        return value ? std::optional(*value) : std::nullopt;
    };
    if (op == "embedding" && position == 1) return sizeOf(args[0], 0);
    if (op == "embedding_dense_backward" && position == 1) return integer(2);
    if (isOneOf(op, kAlong) && position == 2 && integer(1)) return sizeOf(args[0], *integer(1));
    if (op == "one_hot" && position == 0) return integer(1) && *integer(1) > 0 ? integer(1) : std::nullopt;
    if ((op == "cross_entropy_loss" || op == "multi_margin_loss") && position == 1)
        return sizeOf(args[0], sizeOf(args[0], 1) ? 1 : 0);
    if (op.starts_with("nll_loss") && position == (op.ends_with("_backward") ? 2U : 1U)) {
        const Argument& scores = args[position - 1];
        return sizeOf(scores, sizeOf(scores, 1) ? 1 : 0);
    }
    return placesIn(op, position, args);
}

/// The same for the tensors in a list of indices: each is for one dimension.
std::optional<std::int64_t> indicesInList(const Node& user, const Node& index) {
    static constexpr std::array<std::string_view, 5> kListed = {"index", "index_put", "_unsafe_index",
                                                                "_unsafe_index_put", "_index_put_impl"};
    const auto* list = user.args().size() > 1 ? user.args()[1].list() : nullptr;
    if (!list || !isOneOf(plainName(user), kListed)) return std::nullopt;
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

bool isArgument(const Node& user, std::size_t position, const Node& value) {
    return position < user.args().size() && user.args()[position].node() == &value;
}

/// What the elements of an input may be: at least `low`, less than `high`.
struct IndexRange {
    std::int64_t low = 0;
    std::optional<std::int64_t> high;
};

/// `value + shift` indexes what `user` takes it for.
void narrow(IndexRange& range, const Node& user, const Node& value, std::int64_t shift) {
    const auto take = [&](std::optional<std::int64_t> size) {
        if (!size) return;
        range.low = std::max(range.low, -shift);
        range.high = std::min(range.high.value_or(*size - shift), *size - shift);
    };
    take(indicesInList(user, value));
    for (std::size_t i = 0; i < user.args().size(); ++i)
        if (user.args()[i].node() == &value) take(indicesOf(user, i));
}

/// What `user` adds to each element of `value`; nothing if it does something else.
std::optional<std::int64_t> shiftBy(const Node& user, const Node& value) {
    constexpr std::int64_t most = 1 << 30;
    if (passesOn(user)) return 0;
    const auto op = plainName(user);
    const auto* number = user.args().size() == 2 ? user.args()[1].integer() : nullptr;
    if (!number || !isArgument(user, 0, value) || *number > most || *number < -most) return std::nullopt;
    if (op == "add") return *number;
    return op == "sub" ? std::optional(-*number) : std::nullopt;
}

/// By the tables that the elements of `input` index, also with a number added to them.
IndexRange rangeOf(const Node& input) {
    IndexRange range;
    std::vector<std::pair<const Node*, std::int64_t>> values = {{&input, 0}};
    std::unordered_set<const Node*> seen = {&input};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto [value, shift] = values[i];
        for (const Node* user : value->users()) {
            if (user->kind() != NodeKind::call) continue;
            narrow(range, *user, *value, shift);
            const auto more = shiftBy(*user, *value);
            if (more && values.size() < kMostFollowed && seen.insert(user).second)
                values.emplace_back(user, shift + *more);
        }
    }
    return range;
}

/// Whether `user` takes probabilities in this place.
bool isProbability(const Node& user, const Node& value) {
    const auto op = plainName(user);
    if (op == "binary_cross_entropy") return isArgument(user, 0, value) || isArgument(user, 1, value);
    return op == "binary_cross_entropy_backward" && (isArgument(user, 1, value) || isArgument(user, 2, value));
}

/// Whether a negative element would make a NaN, or be refused.
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
    const IndexRange range = rangeOf(input);
    std::int64_t bound = range.high.value_or(Fill::Randint{}.high);
    const auto bits = 8 * itemSize(dtype);
    if (bits < 16) bound = std::min<std::int64_t>(bound, std::int64_t{1} << (bits - 1));
    return {Fill::Randint{range.low, std::max(bound, range.low + 1)}};
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
