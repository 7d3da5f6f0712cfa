#include "verify/printed/index_range.h"

#include "ops/op_table.h"
#include "ops/subgraph_role.h"
#include "verify/plain_name.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace aotscope {

namespace {

constexpr std::size_t kMostComputed = 1000;               ///< number of values computed from the elements of an input
constexpr std::int64_t kLargest = std::int64_t{1} << 30;  ///< of factors and offsets
constexpr int kDeepest = 8;                               ///< chain of operations for a known value

/// Passes on its first argument, elementwise or as a view.
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

std::optional<std::int64_t> numelOf(const Argument& of) {
    const TensorType* type = of.node() ? of.node()->type.tensor() : nullptr;
    return type ? std::optional(type->numel()) : std::nullopt;
}

/// The number of positions in the last two dimensions.
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
    if (op.ends_with("embedding_bag") && position == 2) return 1;  // where bags begin: all at the first element
    return std::nullopt;
}

/// The number of valid indices of `user` for its argument at `position`; nothing if it is not an index.
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

/// The same for the tensors in a list of indices, one per dimension.
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

/// Bounds of values, both inclusive.
struct Interval {
    std::int64_t low = 0, high = 0;

    bool isSmall() const { return low >= -kLargest && high <= kLargest; }
    Interval operator-() const { return {-high, -low}; }
    Interval operator+(const Interval& other) const { return {low + other.low, high + other.high}; }
    Interval operator*(std::int64_t factor) const {
        return factor < 0 ? Interval{high * factor, low * factor} : Interval{low * factor, high * factor};
    }
};

std::optional<Interval> elementsOf(const Argument& argument, int depth);

/// A number, or the hint of a size.
std::optional<std::int64_t> numberOf(const Argument& argument) {
    std::optional<std::int64_t> number;
    if (const auto* literal = argument.integer()) number = *literal;
    const ScalarType* size = argument.node() ? argument.node()->type.scalar() : nullptr;
    if (size && size->kind == ScalarType::Kind::integer && std::abs(size->hint) <= static_cast<double>(kLargest))
        number = static_cast<std::int64_t>(size->hint);
    return number && Interval{*number, *number}.isSmall() ? number : std::nullopt;
}

std::optional<Interval> counted(const Node& arange) {
    const auto& args = arange.args();
    const auto at = [&](std::size_t i) { return i < args.size() ? numberOf(args[i]) : std::nullopt; };
    const auto start = args.size() < 2 ? std::optional<std::int64_t>(0) : at(0), end = args.size() < 2 ? at(0) : at(1);
    const auto step = args.size() < 3 ? std::optional<std::int64_t>(1) : at(2);
    if (!start || !end || !step || *step == 0 || (*end - *start) / *step < 0) return std::nullopt;
    const std::int64_t last = *start + (*end - *start - (*step > 0 ? 1 : -1)) / *step * *step;
    return Interval{std::min(*start, last), std::max(*start, last)};
}

/// The result of an operation whose operands do not depend on inputs.
std::optional<Interval> made(const Node& node, int depth) {
    const auto op = plainName(node);
    const auto& args = node.args();
    if (op == "arange") return counted(node);
    if (op == "zeros" || op == "zeros_like") return Interval{0, 0};
    if (op == "ones" || op == "ones_like") return Interval{1, 1};
    if (op == "scalar_tensor" && !args.empty()) return elementsOf(args[0], depth);
    if ((op == "full" || op == "full_like") && args.size() > 1) return elementsOf(args[1], depth);
    if (args.empty() || op == "where") return std::nullopt;
    const auto first = elementsOf(args[0], depth);
    if (passesOn(node)) return first;
    const auto second = args.size() == 2 && node.kwargs().empty() ? elementsOf(args[1], depth) : std::nullopt;
    if (!first || !second) return std::nullopt;
    if (op == "add") return *first + *second;
    if (op == "sub") return *first + -*second;
    if (op == "rsub") return *second + -*first;
    return op == "mul" && second->low == second->high ? std::optional(*first * second->low) : std::nullopt;
}

/// Constants whose values are not printed are zeros.
std::optional<Interval> elementsOf(const Argument& argument, int depth) {
    if (const auto number = numberOf(argument)) return Interval{*number, *number};
    const Node* node = argument.node();
    if (!node || depth > kDeepest) return std::nullopt;
    if (node->kind() == NodeKind::constant) return Interval{0, 0};
    const auto elements = node->kind() == NodeKind::call ? made(*node, depth + 1) : std::nullopt;
    return elements && elements->isSmall() ? elements : std::nullopt;
}

/// A value whose elements are `factor` times those of the input, plus something within `offset`.
struct Followed {
    const Node* value = nullptr;
    std::int64_t factor = 1;
    Interval offset;
    const Node* owner = nullptr;        ///< the operator that runs the value's graph, or null
    std::optional<std::size_t> around;  ///< index in the list of the value that it derives from
};

std::int64_t dividedDown(std::int64_t number, std::int64_t by) { return number / by - (number % by < 0 ? 1 : 0); }

/// Such that the value is a valid index for `size` positions.
void narrow(IndexRange& range, const Followed& followed, std::optional<std::int64_t> size) {
    if (!size) return;
    const std::int64_t last = std::clamp<std::int64_t>(*size, 0, kLargest) - 1;
    const auto& [low, high] = followed.offset;
    const std::int64_t by = std::abs(followed.factor);
    const bool falls = followed.factor < 0;
    const std::int64_t least = falls ? -dividedDown(last - high, by) : -dividedDown(low, by);
    const std::int64_t most = falls ? dividedDown(low, by) : dividedDown(last - high, by);
    range.low = std::max(range.low, least);
    range.high = std::min(range.high.value_or(most + 1), most + 1);
}

/// Follows the elements of an input to what they index.
class Follower {
public:
    explicit Follower(const Node& input) { follow({&input, 1, {}, nullptr, std::nullopt}); }

    IndexRange run() {
        for (std::size_t i = 0; i < values_.size(); ++i)
            for (const Node* user : values_[i].value->users()) {
                const Followed value = values_[i];  // the list grows
                if (user->kind() == NodeKind::output) leave(value, *user);
                if (user->kind() != NodeKind::call) continue;
                narrow(range_, value, indicesInList(*user, *value.value));
                for (std::size_t at = 0; at < user->args().size(); ++at)
                    if (user->args()[at].node() == value.value) narrow(range_, value, indicesOf(*user, at));
                enter(i, *user);
                if (auto next = after(value, *user)) follow(*next);
            }
        return range_;
    }

private:
    void follow(const Followed& next) {
        if (values_.size() < kMostComputed && next.offset.isSmall() && std::abs(next.factor) <= kLargest &&
            next.factor != 0 && seen_.insert({next.value, next.owner}).second)
            values_.push_back(next);
    }

    /// The result of `user` on the value; nothing if that is not a multiple with an offset.
    static std::optional<Followed> after(Followed value, const Node& user) {
        const auto& args = user.args();
        const auto op = plainName(user);
        const Node* before = std::exchange(value.value, &user);
        if (passesOn(user)) return value;
        if (op == "neg") return multiplied(value, -1);
        if (args.size() != 2 || !user.kwargs().empty()) return std::nullopt;
        const bool isFirst = args[0].node() == before;
        const auto other = elementsOf(args[isFirst ? 1 : 0], 0);
        if (!other) return std::nullopt;
        if (op == "add") return moved(value, *other);
        if (op == "sub" && isFirst) return moved(value, -*other);
        if (op == "sub" || op == "rsub") return moved(multiplied(value, -1), *other);
        return op == "mul" && other->low == other->high ? std::optional(multiplied(value, other->low)) : std::nullopt;
    }
    static Followed moved(Followed value, const Interval& by) {
        value.offset = value.offset + by;
        return value;
    }
    static Followed multiplied(Followed value, std::int64_t by) {
        value.factor *= by;
        value.offset = value.offset * by;
        return value;
    }

    /// Follows the value into the subgraphs of `user`: for loops and scans, the first step or a slice.
    void enter(std::size_t place, const Node& user) {
        const Subgraphs graphs = subgraphsOf(user);
        for (std::size_t number = 0; number < graphs.size(); ++number) {
            const auto operands = subgraphOperands({&user, user.id(), number, graphs[number], 0, 0});
            const auto placeholders = graphs[number]->placeholders();
            for (std::size_t i = 0; i < operands.size(); ++i) {
                if (operands[i] != values_[place].value) continue;
                Followed inside = values_[place];
                inside.value = placeholders[i];
                inside.owner = &user;
                inside.around = place;
                follow(inside);
            }
        }
    }

    /// The outputs of a graph that runs once are the operator's.
    void leave(const Followed& value, const Node& output) {
        static constexpr std::array<std::string_view, 5> kRepeating = {"while_loop", "while_loop_stack_output", "scan",
                                                                       "map_impl", "associative_scan"};
        if (!value.around || isOneOf(plainName(*value.owner), kRepeating)) return;
        for (std::size_t i = 0; i < output.args().size(); ++i) {
            if (output.args()[i].node() != value.value) continue;
            for (const Node* item : value.owner->users()) {
                const bool isThis = item->isCall("operator.getitem") && item->args().size() == 2 &&
                                    numberOf(item->args()[1]) == static_cast<std::int64_t>(i);
                if (!isThis) continue;
                Followed outside = values_[*value.around];
                outside.value = item;
                outside.factor = value.factor;
                outside.offset = value.offset;
                follow(outside);
            }
        }
    }

    IndexRange range_;
    std::vector<Followed> values_;
    std::set<std::pair<const Node*, const Node*>> seen_;  ///< with the operator that runs its graph
};

}  // namespace

IndexRange indexRange(const Node& input) { return Follower(input).run(); }

}  // namespace aotscope
