#include "canvas/layout/layered/place_across.h"

#include <algorithm>
#include <limits>

namespace aotscope {

namespace {

using Index = std::size_t;
using Link = Neighbours::Link;

constexpr double kBetweenBoxes = 20, kBesideBend = 12;
constexpr double kFixed = 1e6, kHeavy = 16, kLoose = 0.01;  ///< weights: of the spine, bends, vertices without edges
constexpr double kPull = 0.5;  ///< weight of the middle, towards which all are pulled for a while
constexpr int kOneSided = 6, kPulled = 4, kTwoSided = 6;  ///< sweeps

/// The vertices of a longest path.
std::vector<bool> spineOfLayers(const Layers& layers, const Neighbours& lowers) {
    std::vector<int> length(layers.vertices.size(), 0), before(layers.vertices.size(), -1);
    int longest = -1;
    for (const auto& row : layers.rows)
        for (const int v : row) {
            for (const Link& link : lowers[v]) {
                int& known = length[static_cast<Index>(link.vertex)];
                if (length[static_cast<Index>(v)] < known) continue;
                known = length[static_cast<Index>(v)] + 1;
                before[static_cast<Index>(link.vertex)] = v;
            }
            if (longest < 0 || length[static_cast<Index>(v)] > length[static_cast<Index>(longest)]) longest = v;
        }
    std::vector<bool> spine(layers.vertices.size(), false);
    for (int v = longest; v >= 0; v = before[static_cast<Index>(v)]) spine[static_cast<Index>(v)] = true;
    return spine;
}

/// The values nearest to the wanted ones (weighted least squares) that do not descend: pools of equal values.
class AscendingFit {
public:
    void add(double wanted, double weight) {
        pools_.push_back({wanted * weight, weight, 1});
        while (pools_.size() > 1 && pools_[pools_.size() - 2].mean() > pools_.back().mean()) {
            const Pool last = pools_.back();
            pools_.pop_back();
            pools_.back().sum += last.sum;
            pools_.back().weight += last.weight;
            pools_.back().count += last.count;
        }
    }
    /// Calls `take(value)` for each in turn.
    template <typename Take>
    void finish(Take&& take) {
        for (const Pool& pool : pools_)
            for (int i = 0; i < pool.count; ++i) take(pool.mean());
        pools_.clear();
    }

private:
    struct Pool {
        double sum = 0, weight = 0;
        int count = 0;
        double mean() const { return sum / weight; }
    };
    std::vector<Pool> pools_;
};

class Placer {
public:
    explicit Placer(const Layers& layers)
        : layers_(layers),
          uppers_(layers, Neighbours::Side::upper),
          lowers_(layers, Neighbours::Side::lower),
          places_(layers.placeOfEach()),
          rowOf_(layers.rowOfEach()),
          x_(layers.vertices.size(), 0) {
        for (const auto& row : layers.rows) {
            uppers_.sort(row, places_);
            lowers_.sort(row, places_);
        }
        spine_ = spineOfLayers(layers, lowers_);
        for (const auto& [upper, lower] : layers.edges)
            heavy_.push_back((vertex(upper).bend && vertex(lower).bend) || (onSpine(upper) && onSpine(lower)));
    }

    std::vector<double> run() {
        for (const auto& row : layers_.rows) pack(row);
        for (int i = 0; i < kOneSided + kPulled + kTwoSided; ++i) {
            const bool down = i % 2 == 0, both = i >= kOneSided;
            // What no edge holds was pushed far away by others, which have come back since.
            pull_ = both && i < kOneSided + kPulled ? kPull : 0;
            const Index count = layers_.rows.size();
            for (Index r = 0; r < count; ++r)
                arrange(layers_.rows[down ? r : count - 1 - r], down || both, !down || both);
        }
        straighten();
        double left = std::numeric_limits<double>::max();
        for (Index v = 0; v < x_.size(); ++v) left = std::min(left, x_[v] - layers_.vertices[v].width / 2);
        for (double& x : x_) x -= left;
        return std::move(x_);
    }

private:
    const Layers::Vertex& vertex(int v) const { return layers_.vertices[static_cast<Index>(v)]; }
    double& x(int v) { return x_[static_cast<Index>(v)]; }
    double distance(int left, int right) const {
        return (vertex(left).width + vertex(right).width) / 2 + gapBetween(vertex(left), vertex(right));
    }

    bool onSpine(int v) const { return spine_[static_cast<Index>(v)]; }

    /// Side by side, with the spine or else the middle of the row at 0.
    void pack(const std::vector<int>& row) {
        double at = 0, spine = 0;
        bool hasSpine = false;
        for (Index i = 0; i < row.size(); ++i) {
            x(row[i]) = at += i > 0 ? distance(row[i - 1], row[i]) : 0;
            if (!onSpine(row[i])) continue;
            spine = at;
            hasSpine = true;
        }
        for (const int v : row) x(v) -= hasSpine ? spine : at / 2;
    }

    void arrange(const std::vector<int>& row, bool byUppers, bool byLowers) {
        double offset = 0;
        for (Index i = 0; i < row.size(); ++i) {
            if (i > 0) offset += distance(row[i - 1], row[i]);
            double sum = 0, weight = pull_;
            const auto add = [&](const Link& link) {
                const double own = heavy_[static_cast<Index>(link.edge)] ? kHeavy : 1;
                sum += own * x(link.vertex);
                weight += own;
            };
            if (byUppers) std::ranges::for_each(uppers_[row[i]], add);
            if (byLowers) std::ranges::for_each(lowers_[row[i]], add);
            // Were it not fixed, a picture of many equal rows would lean.
            if (onSpine(row[i])) fit_.add(-offset, kFixed);
            else if (weight == 0) fit_.add(x(row[i]) - offset, kLoose);
            else fit_.add(sum / weight - offset, weight);
        }
        offset = 0;
        Index i = 0;
        fit_.finish([&](double value) {
            if (i > 0) offset += distance(row[i - 1], row[i]);
            x(row[i++]) = value + offset;
        });
    }

    /// The neighbour on one side that a vertex should be upright with; null: none.
    const Link* preferred(std::span<const Link> links) const {
        if (links.empty()) return nullptr;
        const auto heavy =
            std::ranges::find_if(links, [&](const Link& link) { return heavy_[static_cast<Index>(link.edge)]; });
        return heavy == links.end() ? &links[(links.size() - 1) / 2] : &*heavy;
    }

    /// Chains of vertices that prefer each other, those of heavy edges first.
    void straighten() {
        std::vector<int> below(x_.size(), -1);
        std::vector<bool> begins(x_.size(), true), heavy(x_.size(), false);
        for (Index v = 0; v < x_.size(); ++v) {
            const Link* lower = preferred(lowers_[static_cast<int>(v)]);
            const Link* back = lower ? preferred(uppers_[lower->vertex]) : nullptr;
            if (!back || back->vertex != static_cast<int>(v)) continue;
            below[v] = lower->vertex;
            begins[static_cast<Index>(lower->vertex)] = false;
            heavy[v] = heavy_[static_cast<Index>(lower->edge)];
        }
        for (const bool wanted : {true, false})
            for (Index v = 0; v < x_.size(); ++v) {
                if (!begins[v]) continue;
                std::vector<int> chain;
                bool isHeavy = false;
                for (int next = static_cast<int>(v); next >= 0; next = below[static_cast<Index>(next)]) {
                    chain.push_back(next);
                    isHeavy = isHeavy || heavy[static_cast<Index>(next)];
                }
                if (isHeavy == wanted && chain.size() > 1) makeUpright(chain);
            }
    }

    /// In pieces that are as long as the neighbours allow.
    void makeUpright(const std::vector<int>& chain) {
        Index first = 0;
        auto room = roomOf(chain[0]);
        for (Index i = 1; i <= chain.size(); ++i) {
            if (i < chain.size()) {
                const auto own = roomOf(chain[i]);
                const std::pair both(std::max(room.first, own.first), std::min(room.second, own.second));
                if (both.first <= both.second) {
                    room = both;
                    continue;
                }
            }
            double sum = 0;
            for (Index k = first; k < i; ++k) sum += x(chain[k]);
            const double middle = std::clamp(sum / static_cast<double>(i - first), room.first, room.second);
            for (Index k = first; k < i; ++k) x(chain[k]) = middle;
            first = i;
            if (i < chain.size()) room = roomOf(chain[i]);
        }
    }

    /// Between the neighbours in its row.
    std::pair<double, double> roomOf(int v) {
        constexpr double far = 1e9;
        const auto& row = layers_.rows[static_cast<Index>(rowOf_[static_cast<Index>(v)])];
        const auto place = static_cast<Index>(places_[static_cast<Index>(v)]);
        const double left = place > 0 ? x(row[place - 1]) + distance(row[place - 1], v) : -far;
        const double right = place + 1 < row.size() ? x(row[place + 1]) - distance(v, row[place + 1]) : far;
        return {left, std::max(left, right)};
    }

    const Layers& layers_;
    Neighbours uppers_, lowers_;
    std::vector<int> places_, rowOf_;
    std::vector<bool> spine_, heavy_;  ///< vertices; edges that should be upright
    std::vector<double> x_;
    AscendingFit fit_;
    double pull_ = 0;
};

}  // namespace

double gapBetween(const Layers::Vertex& left, const Layers::Vertex& right) {
    return left.bend || right.bend ? kBesideBend : kBetweenBoxes;
}

std::vector<double> placeAcross(const Layers& layers) { return Placer(layers).run(); }

}  // namespace aotscope
