#pragma once

#include "ir/printer.h"
#include "support/text.h"

#include <QString>

#include <set>

namespace aotscope::test {

/// The difference between two arguments of graphs whose nodes correspond by id; empty: none.
inline bool sameArgument(const Argument& a, const Argument& b) {
    if (const Node* node = a.node()) return b.node() && node->id() == b.node()->id();
    if (const auto* list = a.list()) {
        const auto* other = b.list();
        if (!other || list->size() != other->size()) return false;
        for (std::size_t i = 0; i < list->size(); ++i)
            if (!sameArgument((*list)[i], (*other)[i])) return false;
        return true;
    }
    if (const auto* graph = a.subgraph())
        return b.subgraph() && printGraph(**graph, Detail::full) == printGraph(**b.subgraph(), Detail::full);
    if (const auto* real = std::get_if<double>(&a.value); real && *real != *real) {
        const auto* other = std::get_if<double>(&b.value);
        return other && *other != *other;
    }
    return a == b;
}

inline std::multiset<NodeId> idsOf(std::span<Node* const> nodes) {
    std::multiset<NodeId> ids;
    for (const Node* node : nodes) ids.insert(node->id());
    return ids;
}

/// The first difference of `b` from `a`; empty if the graphs are equal. The order of users, which has no effect, may
/// differ.
inline QString differenceOf(const Node& a, const Node& b) {
    const QString where = u"%"_s + q(a.name()) + u": "_s;
    if (a.name() != b.name() || a.id() != b.id() || a.kind() != b.kind()) return where + u"identity"_s;
    if (a.op() != b.op()) return where + u"operation"_s;
    if (!(a.type == b.type) || printType(a.type, Detail::full) != printType(b.type, Detail::full))
        return where + u"type"_s;
    if (a.stage != b.stage || a.role != b.role || a.label != b.label) return where + u"role"_s;
    if (!a.source != !b.source || (a.source && !(*a.source == *b.source))) return where + u"source"_s;
    if (!(a.autograd == b.autograd)) return where + u"autograd"_s;
    if (a.args().size() != b.args().size() || a.kwargs().size() != b.kwargs().size())
        return where + u"number of arguments"_s;
    for (std::size_t i = 0; i < a.args().size(); ++i)
        if (!sameArgument(a.args()[i], b.args()[i])) return where + u"argument %1"_s.arg(i);
    for (std::size_t i = 0; i < a.kwargs().size(); ++i)
        if (a.kwargs()[i].first != b.kwargs()[i].first || !sameArgument(a.kwargs()[i].second, b.kwargs()[i].second))
            return where + u"keyword argument %1"_s.arg(i);
    if (idsOf(a.inputs()) != idsOf(b.inputs())) return where + u"inputs"_s;
    if (idsOf(a.users()) != idsOf(b.users())) return where + u"users"_s;
    return {};
}

inline QString differenceOf(const Graph& a, const Graph& b) {
    if (a.name() != b.name()) return u"name"_s;
    if (a.symbols() != b.symbols()) return u"symbols"_s;
    if (a.outputSlots() != b.outputSlots()) return u"output slots"_s;
    if (a.size() != b.size()) return u"number of nodes"_s;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (const QString found = differenceOf(*a.at(i), *b.at(i)); !found.isEmpty()) return found;
    return {};
}

}  // namespace aotscope::test
