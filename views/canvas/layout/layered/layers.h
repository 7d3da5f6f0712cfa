#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace aotscope {

/// Boxes in rows, and edges that lead from one row to the next: longer edges have a bend in every row between.
struct Layers {
    struct Vertex {
        double width = 0;
        bool bend = false;
    };
    std::vector<Vertex> vertices;
    std::vector<std::vector<int>> rows;      ///< their vertices, from left to right
    std::vector<std::pair<int, int>> edges;  ///< upper vertex, lower vertex

    std::vector<int> rowOfEach() const;
    /// The place of each vertex within its row.
    std::vector<int> placeOfEach() const;
};

/// The edges of each vertex on one side, to be sorted by the places of their other ends.
class Neighbours {
public:
    struct Link {
        int vertex = 0, edge = 0;
    };
    enum class Side { upper, lower };

    Neighbours(const Layers& layers, Side side);

    std::span<const Link> operator[](int vertex) const { return {begin(vertex), begin(vertex + 1)}; }
    /// Restores the order for the vertices of a row, after the other row has changed.
    void sort(const std::vector<int>& row, const std::vector<int>& places);

private:
    const Link* begin(int vertex) const { return links_.data() + first_[static_cast<std::size_t>(vertex)]; }

    std::vector<std::size_t> first_;
    std::vector<Link> links_;
};

}  // namespace aotscope
