#include "verify/printed_inputs.h"

#include "ops/op_table.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace aotscope {

namespace {

constexpr int kDeepest = 8;  ///< operations between an input and what it is used for

template <std::size_t count>
bool isOneOf(std::string_view name, const std::array<std::string_view, count>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Passes its first argument on, element by element or as a view.
bool passesOn(const Node& node) {
    static constexpr std::array<std::string_view, 4> kOthers = {"clone", "_to_copy", "convert_element_type", "where"};
    return hasTag(node, kView) || isOneOf(shortOpName(packetOf(node.op())), kOthers);
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
    const auto op = shortOpName(packetOf(user.op()));
    const auto& args = user.args();
    const auto integer = [&](std::size_t i) {
        const auto* value = i < args.size() ? args[i].integer() : nullptr;
        return value ? std::optional(*value) : std::nullopt;
    };
    if (op == "embedding" && position == 1) return sizeOf(args[0], 0);
    if (op == "embedding_dense_backward" && position == 1) return integer(2);
    if (isOneOf(op, kAlong) && position == 2 && integer(1)) return sizeOf(args[0], *integer(1));
    if (op.starts_with("nll_loss") && position == (op.ends_with("_backward") ? 2U : 1U))
        return sizeOf(args[position - 1], args[position - 1].node()->type.tensor() &&
                                                  args[position - 1].node()->type.tensor()->sizes.size() == 1
                                              ? 0
                                              : 1);
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
    if (!list || !isOneOf(shortOpName(packetOf(user.op())), kListed)) return std::nullopt;
    std::optional<std::int64_t> least;
    for (std::size_t i = 0; i < list->size(); ++i)
        if ((*list)[i].node() == &index)
            if (const auto size = sizeOf(user.args()[0], static_cast<std::int64_t>(i)))
                least = std::min(least.value_or(*size), *size);
    return least;
}

/// The smallest table that the elements of `node` index.
std::optional<std::int64_t> smallestTable(const Node& node, int depth = 0) {
    std::optional<std::int64_t> least;
    const auto take = [&](std::optional<std::int64_t> size) {
        if (size) least = std::min(least.value_or(*size), *size);
    };
    for (const Node* user : node.users()) {
        if (user->kind() != NodeKind::call) continue;
        take(indicesInList(*user, node));
        for (std::size_t i = 0; i < user->args().size(); ++i)
            if (user->args()[i].node() == &node) take(indicesOf(*user, i));
        if (depth < kDeepest && passesOn(*user)) take(smallestTable(*user, depth + 1));
    }
    return least;
}

/// Whether a negative element would make a NaN.
bool mustBePositive(const Node& node, int depth = 0) {
    static constexpr std::array<std::string_view, 5> kDomain = {"sqrt", "rsqrt", "log", "log2", "log10"};
    static constexpr std::array<std::string_view, 3> kThrough = {"add", "clone", "convert_element_type"};
    return std::any_of(node.users().begin(), node.users().end(), [&](const Node* user) {
        if (user->kind() != NodeKind::call) return false;
        const auto op = shortOpName(packetOf(user->op()));
        const auto is = [&](std::size_t i) { return i < user->args().size() && user->args()[i].node() == &node; };
        if (isOneOf(op, kDomain)) return true;
        // The running variance.
        if (op.find("batch_norm") != std::string_view::npos && is(4)) return true;
        return depth < kDeepest && (hasTag(*user, kView) || isOneOf(op, kThrough)) && is(0) &&
               mustBePositive(*user, depth + 1);
    });
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
