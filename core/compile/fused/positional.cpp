#include "compile/fused/positional.h"

#include "compile/fused/lowering.h"
#include "compile/fused/operands.h"
#include "ops/op_table.h"
#include "support/error.h"

#include <algorithm>
#include <numeric>

namespace aotscope {

namespace {

/// Longer chains are computed once, as tensors.
constexpr int kMostCalls = 48;

struct Range {
    std::int64_t start = 0, step = 1;
};

/// Only whole numbers: others are rounded in LibTorch's own way.
std::optional<Range> rangeOf(const Node& node) {
    if (node.kind() != NodeKind::call) return std::nullopt;
    const auto whole = [&](std::size_t i, std::string_view name, std::int64_t standard) -> std::optional<std::int64_t> {
        const Argument* argument = node.argument(i, name);
        if (!argument || argument->isNone()) return standard;
        return argument->integer() ? std::optional(*argument->integer()) : std::nullopt;
    };
    std::optional<std::int64_t> start, step;
    const std::string_view op = node.op();
    if (op == "aten.arange.default") {
        start = whole(0, "end", 0) ? std::optional<std::int64_t>(0) : std::nullopt, step = 1;
    } else if (op == "aten.arange.start" || op == "aten.arange.start_step") {
        start = whole(0, "start", 0), step = whole(2, "step", 1);
        if (!whole(1, "end", 0)) return std::nullopt;
    } else if (op == "prims.iota.default") {
        start = whole(1, "start", 0), step = whole(1, "step", 1);
    }
    return start && step ? std::optional(Range{*start, *step}) : std::nullopt;
}

bool isOverwritten(const Node& node) {
    const auto users = node.users();
    return std::any_of(users.begin(), users.end(),
                       [](const Node* user) { return user->kind() == NodeKind::call && isMutating(user->op()); });
}

// A place is a dimension of the space, -1 for none, or one of these: the index of what is selected along a dimension.
constexpr int selected(std::int64_t index) { return -2 - static_cast<int>(index); }
constexpr bool isSelected(int place) { return place <= -2; }
constexpr std::int64_t indexOf(int place) { return -2 - place; }

/// Thrown where a tensor does not follow from the position.
struct NotPositional {};

/// Computes such tensors: views, stacks and pointwise operations of ranges and known numbers.
class PositionalValues {
public:
    explicit PositionalValues(KernelBuilder& builder) : builder_(builder) {}

    Expr run(const Node& tensor, const std::vector<int>& place) {
        const SeenTensor seen = seeThrough(tensor);
        const Node& node = *seen.node;
        if (++calls_ > kMostCalls || !isSupported(tensor) || !isSupported(node)) throw NotPositional{};
        const TensorType& type = *node.type.tensor();
        std::vector<int> own(type.sizes.size(), -1);
        for (std::size_t d = 0; d < place.size(); ++d)
            if (const int from = seen.dimensions[d]; from >= 0 && type.sizes[static_cast<std::size_t>(from)] != 1)
                own[static_cast<std::size_t>(from)] = place[d];
        if (!isLine(type, own)) throw NotPositional{};
        if (const auto fill = fillOf(node)) return valueOfFill(*fill, type.dtype, builder_);
        if (const auto range = rangeOf(node)) return valueOfRange(*range, own.at(0), type.dtype);
        if (isGetitem(node)) return unbound(node, std::move(own));
        if (node.isCall("aten.stack.default")) return stacked(node, std::move(own));
        return computed(node, std::move(own));
    }

private:
    /// Operands of a pointwise operation.
    class Source final : public OperandSource {
    public:
        Source(PositionalValues& values, std::vector<int> place) : values_(values), place_(std::move(place)) {}
        Expr tensor(const Node& node) override {
            const std::size_t rank = node.type.tensor()->sizes.size();
            return values_.run(node, {place_.end() - static_cast<std::ptrdiff_t>(rank), place_.end()});
        }
        Expr number(const Node&) override { throw NotPositional{}; }
        std::size_t indexed(const Node&) override { throw NotPositional{}; }

    private:
        PositionalValues& values_;
        std::vector<int> place_;  ///< of the operation's result
    };

    static bool isSupported(const Node& node) {
        const TensorType* type = node.type.tensor();
        return type && !type->symbolic && isKernelType(type->dtype) && !isOverwritten(node);
    }
    /// Whether it varies along one dimension at most.
    static bool isLine(const TensorType& type, const std::vector<int>& own) {
        int varying = 0;
        for (std::size_t d = 0; d < own.size(); ++d) varying += type.sizes[d] != 1 && !isSelected(own[d]) ? 1 : 0;
        return varying <= 1;
    }

    Expr valueOfRange(const Range& range, int place, DType dtype) {
        const auto number = [&](std::int64_t value) { return builder_.constant(ComputeType::i64, value); };
        Expr value = place >= 0 ? builder_.position(place) : number(isSelected(place) ? indexOf(place) : 0);
        if (range.step != 1) value = value * number(range.step);
        if (range.start != 0) value = value + number(range.start);
        return convert(value, dtype);
    }

    /// A result of unbind.
    Expr unbound(const Node& item, std::vector<int> own) {
        const Node& call = *item.args()[0].node();
        const std::int64_t* index = item.args()[1].integer();
        const Node* base = call.isCall("aten.unbind.int") ? call.args()[0].node() : nullptr;
        if (!base || !index) throw NotPositional{};
        own.insert(own.begin() + dimensionOf(call, static_cast<std::int64_t>(own.size()) + 1), selected(*index));
        return run(*base, own);
    }

    Expr stacked(const Node& call, std::vector<int> own) {
        const auto at = own.begin() + dimensionOf(call, static_cast<std::int64_t>(own.size()));
        const Argument::List* list = call.args()[0].list();
        // A dimension of size one is no place.
        const std::size_t index = isSelected(*at) ? static_cast<std::size_t>(indexOf(*at)) : 0;
        if (!list || (!isSelected(*at) && list->size() != 1) || index >= list->size() || !(*list)[index].node())
            throw NotPositional{};
        own.erase(at);
        return run(*(*list)[index].node(), own);
    }

    static std::int64_t dimensionOf(const Node& call, std::int64_t rank) {
        const Argument* dimension = call.argument(1, "dim");
        const std::int64_t given = dimension && dimension->integer() ? *dimension->integer() : 0;
        if (given < -rank || given >= rank) throw NotPositional{};
        return given < 0 ? given + rank : given;
    }

    Expr computed(const Node& node, std::vector<int> own) {
        const Lowering* lowering = node.kind() == NodeKind::call ? findLowering(node.op()) : nullptr;
        if (!lowering || lowering->shape != Lowering::Shape::pointwise) throw NotPositional{};
        Source source(*this, std::move(own));
        const LoweredResults results = lower(node, builder_, source);
        if (results.size() != 1) throw NotPositional{};
        return results[0];
    }

    KernelBuilder& builder_;
    int calls_ = 0;
};

}  // namespace

Expr valueOfFill(const Argument& fill, DType dtype, KernelBuilder& builder) {
    if (const auto* integer = fill.integer()) return convert(builder.constant(promotedType(dtype), *integer), dtype);
    const auto* truth = std::get_if<bool>(&fill.value);
    const double value = truth ? (*truth ? 1 : 0) : std::get<double>(fill.value);
    return convert(builder.constant(promotedType(dtype), value), dtype);
}

bool isPositional(const Node& tensor) {
    if (!tensor.type.tensor() || fillOf(*seeThrough(tensor).node)) return false;
    std::vector<int> place(tensor.type.tensor()->sizes.size());
    std::iota(place.begin(), place.end(), 0);
    try {
        KernelBuilder builder;
        PositionalValues(builder).run(tensor, place);
        return true;
    } catch (const NotPositional&) {
        return false;
    }
}

bool stacksPositions(const Node& node) {
    const Argument::List* list = node.isCall("aten.stack.default") ? node.args()[0].list() : nullptr;
    return list && std::all_of(list->begin(), list->end(),
                               [](const Argument& item) { return item.node() && isPositional(*item.node()); });
}

Expr positionalValue(const Node& tensor, const std::vector<int>& place, KernelBuilder& builder) {
    return PositionalValues(builder).run(tensor, place);
}

}  // namespace aotscope
