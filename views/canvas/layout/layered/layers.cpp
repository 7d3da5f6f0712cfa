#include "canvas/layout/layered/layers.h"

#include <algorithm>

namespace aotscope {

namespace {

using Index = std::size_t;

}  // namespace

std::vector<int> Layers::rowOfEach() const {
    std::vector<int> found(vertices.size());
    for (Index r = 0; r < rows.size(); ++r)
        for (const int v : rows[r]) found[static_cast<Index>(v)] = static_cast<int>(r);
    return found;
}

std::vector<int> Layers::placeOfEach() const {
    std::vector<int> found(vertices.size());
    for (const auto& row : rows)
        for (Index i = 0; i < row.size(); ++i) found[static_cast<Index>(row[i])] = static_cast<int>(i);
    return found;
}

Neighbours::Neighbours(const Layers& layers, Side side)
    : first_(layers.vertices.size() + 1, 0), links_(layers.edges.size()) {
    const auto ends = [&](Index e) {
        const auto& [upper, lower] = layers.edges[e];
        return side == Side::upper ? std::pair(lower, upper) : std::pair(upper, lower);
    };
    for (Index e = 0; e < layers.edges.size(); ++e) ++first_[static_cast<Index>(ends(e).first) + 1];
    for (Index v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
    std::vector<Index> next(first_.begin(), first_.end() - 1);
    for (Index e = 0; e < layers.edges.size(); ++e) {
        const auto [own, other] = ends(e);
        links_[next[static_cast<Index>(own)]++] = {other, static_cast<int>(e)};
    }
}

void Neighbours::sort(const std::vector<int>& row, const std::vector<int>& places) {
    const auto before = [&](const Link& a, const Link& b) {
        return places[static_cast<Index>(a.vertex)] < places[static_cast<Index>(b.vertex)];
    };
    for (const int v : row) {
        Link* const first = links_.data() + first_[static_cast<Index>(v)];
        Link* const last = links_.data() + first_[static_cast<Index>(v) + 1];
        if (!std::is_sorted(first, last, before)) std::stable_sort(first, last, before);
    }
}

}  // namespace aotscope
