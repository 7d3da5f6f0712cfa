#pragma once

#include "ir/graph.h"

#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

namespace aotscope {

/// Values by node id. Ids are nearly always small, so they index an array; large ones, which a file may contain, use a
/// map.
template <typename T>
class IdTable {
public:
    /// `nothing`: the value of ids without one.
    explicit IdTable(T nothing) : nothing_(std::move(nothing)) {}

    void reserve(std::size_t count) { values_.reserve(count); }
    void set(NodeId id, T value) {
        if (id < 0 || id >= kMostPlaces) {
            others_.insert_or_assign(id, std::move(value));
            return;
        }
        const auto place = static_cast<std::size_t>(id);
        if (place >= values_.size()) values_.resize(place + 1, nothing_);
        values_[place] = std::move(value);
    }
    const T& at(NodeId id) const {
        if (id >= 0 && static_cast<std::size_t>(id) < values_.size()) return values_[static_cast<std::size_t>(id)];
        const auto it = others_.find(id);
        return it == others_.end() ? nothing_ : it->second;
    }
    bool contains(NodeId id) const { return at(id) != nothing_; }

private:
    static constexpr NodeId kMostPlaces = 1 << 22;

    T nothing_;
    std::vector<T> values_;
    std::unordered_map<NodeId, T> others_;
};

/// Faster than Graph::findById if ids do not ascend.
using NodesById = IdTable<const Node*>;
inline NodesById nodesById(const Graph& graph) {
    NodesById nodes(nullptr);
    nodes.reserve(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) nodes.set(graph.at(i)->id(), graph.at(i));
    return nodes;
}

}  // namespace aotscope
