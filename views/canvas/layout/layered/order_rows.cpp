#include "canvas/layout/layered/order_rows.h"

#include <algorithm>

namespace aotscope {

namespace {

using Index = std::size_t;
using Link = Neighbours::Link;

constexpr int kMostSweeps = 12, kPatienceInSweeps = 4;
constexpr int kExchanges = 2;  ///< passes over all neighbours, after each sweep

/// How many of the places counted so far are further to the right, in logarithmic time (Fenwick).
class PlaceCount {
public:
    explicit PlaceCount(Index places) : sums_(places + 1, 0) {}
    void add(int place) {
        ++all_;
        for (Index i = static_cast<Index>(place) + 1; i < sums_.size(); i += i & (~i + 1)) ++sums_[i];
    }
    std::size_t right(int place) const {
        std::size_t upTo = 0;
        for (Index i = static_cast<Index>(place) + 1; i > 0; i -= i & (~i + 1)) upTo += sums_[i];
        return all_ - upTo;
    }

private:
    std::vector<std::size_t> sums_;
    std::size_t all_ = 0;
};

class RowOrderer {
public:
    explicit RowOrderer(Layers& layers)
        : layers_(layers),
          uppers_(layers, Neighbours::Side::upper),
          lowers_(layers, Neighbours::Side::lower),
          places_(layers.placeOfEach()) {}

    void run() {
        auto best = layers_.rows;
        std::size_t fewest = count();
        for (int sweep = 0, last = 0; sweep < kMostSweeps && fewest > 0 && sweep - last < kPatienceInSweeps; ++sweep) {
            this->sweep(sweep % 2 == 0);
            for (int i = 0; i < kExchanges; ++i) exchange();
            if (const std::size_t now = count(); now < fewest) {
                fewest = now;
                best = layers_.rows;
                last = sweep;
            }
        }
        layers_.rows = std::move(best);
    }

    std::size_t count() {
        std::size_t found = 0;
        for (Index r = 1; r < layers_.rows.size(); ++r) {
            sort(lowers_, r - 1);
            PlaceCount seen(layers_.rows[r].size());
            for (const int v : layers_.rows[r - 1]) {
                for (const Link& link : lowers_[v]) found += seen.right(placeOf(link.vertex));
                for (const Link& link : lowers_[v]) seen.add(placeOf(link.vertex));
            }
        }
        return found;
    }

private:
    int placeOf(int vertex) const { return places_[static_cast<Index>(vertex)]; }
    void sort(Neighbours& side, Index row) { side.sort(layers_.rows[row], places_); }

    void sweep(bool down) {
        const Index count = layers_.rows.size();
        for (Index i = 1; i < count; ++i) arrange(down ? i : count - 1 - i, down ? uppers_ : lowers_);
    }

    /// By the mean place of the neighbours; vertices without any keep their places.
    void arrange(Index r, const Neighbours& side) {
        auto& row = layers_.rows[r];
        std::vector<std::pair<double, int>> moved;
        for (const int v : row) {
            const auto links = side[v];
            double sum = 0;
            for (const Link& link : links) sum += placeOf(link.vertex);
            if (!links.empty()) moved.emplace_back(sum / static_cast<double>(links.size()), v);
        }
        std::stable_sort(moved.begin(), moved.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        auto next = moved.begin();
        for (int& v : row)
            if (!side[v].empty()) v = (next++)->second;
        number(r);
    }

    void number(Index r) {
        const auto& row = layers_.rows[r];
        for (Index i = 0; i < row.size(); ++i) places_[static_cast<Index>(row[i])] = static_cast<int>(i);
    }

    /// Crossings of the edges of `left` and `right` if they are in this order; both sorted.
    std::size_t between(std::span<const Link> left, std::span<const Link> right) const {
        std::size_t found = 0, passed = 0;
        for (const Link& link : left) {
            while (passed < right.size() && placeOf(right[passed].vertex) < placeOf(link.vertex)) ++passed;
            found += passed;
        }
        return found;
    }

    /// Exchanges adjacent vertices where that removes crossings.
    void exchange() {
        for (Index r = 0; r < layers_.rows.size(); ++r) {
            sort(uppers_, r);
            sort(lowers_, r);
            auto& row = layers_.rows[r];
            for (Index i = 1; i < row.size(); ++i) {
                const int a = row[i - 1], b = row[i];
                const std::size_t now = between(uppers_[a], uppers_[b]) + between(lowers_[a], lowers_[b]);
                if (now == 0) continue;
                if (between(uppers_[b], uppers_[a]) + between(lowers_[b], lowers_[a]) < now)
                    std::swap(row[i - 1], row[i]);
            }
            number(r);
        }
    }

    Layers& layers_;
    Neighbours uppers_, lowers_;
    std::vector<int> places_;
};

}  // namespace

void orderRows(Layers& layers) { RowOrderer(layers).run(); }

std::size_t crossings(const Layers& layers) {
    Layers copy = layers;
    return RowOrderer(copy).count();
}

}  // namespace aotscope
