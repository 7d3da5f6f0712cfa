#pragma once

#include "ir/types.h"

#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace aotscope {

class Graph;
class Node;

/// An argument of an operation. Lists nest; a Node* is an edge. A subgraph is the operand of a higher-order operator
/// (cond, map): a finished graph with its own ids and names that takes everything it reads as inputs, so that no edges
/// leave it. It is immutable, and copies of a graph share it. Its name is unique within the graph that owns it.
struct Argument {
    using List = std::vector<Argument>;
    using Subgraph = std::shared_ptr<const Graph>;
    std::variant<std::monostate, Node*, std::int64_t, double, bool, std::string, DType, Device, Layout, MemoryFormat,
                 std::complex<double>, List, Subgraph>
        value;

    Argument() = default;
    template <typename T>
    Argument(T v) : value(std::move(v)) {}  // NOLINT(google-explicit-constructor): arguments read as literals
    Argument(const char* text) : value(std::string(text)) {}
    Argument(int number) : value(std::int64_t{number}) {}

    bool isNone() const { return std::holds_alternative<std::monostate>(value); }
    Node* node() const {
        auto* n = std::get_if<Node*>(&value);
        return n ? *n : nullptr;
    }
    const List* list() const { return std::get_if<List>(&value); }
    const std::int64_t* integer() const { return std::get_if<std::int64_t>(&value); }
    const Subgraph* subgraph() const { return std::get_if<Subgraph>(&value); }
    bool operator==(const Argument&) const = default;
};

using KeywordArguments = std::vector<std::pair<std::string, Argument>>;

/// Calls `visit(Node*)` for every node in `argument` and its nested lists, left to right.
template <typename Visit>
void forEachNode(const Argument& argument, Visit&& visit) {
    if (auto* node = argument.node()) visit(node);
    if (auto* list = argument.list())
        for (const auto& element : *list) forEachNode(element, visit);
}

/// `argument` with every node replaced by `map(Node*)`, which returns an Argument.
template <typename Map>
Argument mapNodes(const Argument& argument, Map&& map) {
    if (auto* node = argument.node()) return map(node);
    if (auto* list = argument.list()) {
        Argument::List mapped;
        mapped.reserve(list->size());
        for (const auto& element : *list) mapped.push_back(mapNodes(element, map));
        return mapped;
    }
    return argument;
}

}  // namespace aotscope
