#include "io/ranks/rank_nodes.h"

#include "ir/printer.h"
#include "ops/collectives.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace aotscope {

namespace {

using Places = std::unordered_map<const Node*, std::size_t>;

Places placesIn(const Graph& graph) {
    Places places;
    for (std::size_t i = 0; i < graph.size(); ++i) places[graph.at(i)] = i;
    return places;
}

/// Printed graphs do not distinguish parameters from other inputs.
bool sameRole(Role a, Role b) {
    const auto isPrimal = [](Role role) {
        return role == Role::none || role == Role::parameter || role == Role::buffer || role == Role::userInput;
    };
    return a == b || (isPrimal(a) && isPrimal(b));
}

bool alikeOnAnyDevice(const TensorType& a, const TensorType& b) {
    if (a.dtype != b.dtype) return false;
    if (a.symbolic && b.symbolic) {
        TensorType x = a, y = b;
        x.device = y.device = {};
        return printTensorType(x) == printTensorType(y);
    }
    return a.sizes == b.sizes && a.strides == b.strides && !a.symbolic == !b.symbolic;
}

bool alikeOnAnyDevice(const ValueType& a, const ValueType& b) {
    if (!a.known() || !b.known()) return true;
    if (a.data.index() != b.data.index()) return false;
    if (a.tensor()) return alikeOnAnyDevice(*a.tensor(), *b.tensor());
    if (a.other()) return a == b;
    if (a.scalar()) return a.scalar()->kind == b.scalar()->kind && a.scalar()->expression == b.scalar()->expression;
    return std::ranges::equal(*a.tuple(), *b.tuple(),
                              [](const ValueType& x, const ValueType& y) { return alikeOnAnyDevice(x, y); });
}

class NodesOfRanks {
public:
    UnlikePlaces compare(const Graph& first, const Graph& second) {
        const Places inFirst = placesIn(first), inSecond = placesIn(second);
        UnlikePlaces found;
        const auto note = [](std::optional<std::size_t>& place, std::size_t i) {
            if (!place) place = i;
        };
        for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
            const Unlike unlike = compare(*first.at(i), *second.at(i), inFirst, inSecond);
            if (unlike == Unlike::values) note(found.values, i);
            if (unlike == Unlike::sizes) note(found.sizes, i);
            if (unlike != Unlike::structure) continue;
            found.structure = i;
            return found;
        }
        if (first.size() != second.size()) found.structure = std::min(first.size(), second.size());
        return found;
    }

private:
    Unlike compare(const Node& a, const Node& b, const Places& inA, const Places& inB) {
        if (a.kind() != b.kind() || a.op() != b.op() || a.args().size() != b.args().size() ||
            a.kwargs().size() != b.kwargs().size() || !sameRole(a.role, b.role))
            return Unlike::structure;
        const bool named = collectiveOf(a).has_value();
        Unlike most = Unlike::no;
        const auto add = [&](const Argument& x, const Argument& y) {
            const bool group = named && std::holds_alternative<std::string>(x.value) && &x == &a.args().back();
            if (!group) most = std::max(most, compare(x, y, inA, inB));
        };
        for (std::size_t i = 0; i < a.args().size(); ++i) add(a.args()[i], b.args()[i]);
        for (std::size_t i = 0; i < a.kwargs().size(); ++i) {
            if (a.kwargs()[i].first != b.kwargs()[i].first) return Unlike::structure;
            add(a.kwargs()[i].second, b.kwargs()[i].second);
        }
        return alikeOnAnyDevice(a.type, b.type) ? most : std::max(most, Unlike::sizes);
    }

    Unlike compare(const Argument& a, const Argument& b, const Places& inA, const Places& inB) {
        if (a.value.index() != b.value.index()) return Unlike::structure;
        if (a.node()) return inA.at(a.node()) == inB.at(b.node()) ? Unlike::no : Unlike::structure;
        if (a.subgraph()) return compareSubgraphs(**a.subgraph(), **b.subgraph());
        if (std::holds_alternative<Device>(a.value)) return Unlike::no;
        if (!a.list()) {
            const bool number = a.integer() || std::holds_alternative<double>(a.value) ||
                                std::holds_alternative<bool>(a.value) ||
                                std::holds_alternative<std::complex<double>>(a.value);
            // compared as text, NaN equals itself
            if (a == b || printArgument(a) == printArgument(b)) return Unlike::no;
            return number ? Unlike::values : Unlike::structure;
        }
        if (a.list()->size() != b.list()->size()) return Unlike::structure;
        Unlike most = Unlike::no;
        for (std::size_t i = 0; i < a.list()->size(); ++i)
            most = std::max(most, compare((*a.list())[i], (*b.list())[i], inA, inB));
        return most;
    }

    /// Many nodes may share a subgraph.
    Unlike compareSubgraphs(const Graph& a, const Graph& b) {
        if (const auto known = subgraphs_.find({&a, &b}); known != subgraphs_.end()) return known->second;
        const UnlikePlaces found = compare(a, b);
        const Unlike most = found.structure ? Unlike::structure
                            : found.sizes   ? Unlike::sizes
                            : found.values  ? Unlike::values
                                            : Unlike::no;
        return subgraphs_[{&a, &b}] = most;
    }

    std::map<std::pair<const Graph*, const Graph*>, Unlike> subgraphs_;
};

}  // namespace

UnlikePlaces compareNodes(const Graph& first, const Graph& second) { return NodesOfRanks().compare(first, second); }

}  // namespace aotscope
