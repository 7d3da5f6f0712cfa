#pragma once

#include <QRectF>
#include <algorithm>
#include <cmath>
#include <vector>

namespace aotscope {

/// Finds rectangles by place. They are kept in slabs of equal height, since pictures of programs are long and narrow.
class RowIndex {
public:
    RowIndex() = default;
    explicit RowIndex(const std::vector<QRectF>& rectangles) : rectangles_(rectangles) {
        if (rectangles_.empty()) return;
        double bottom = -1e18;
        top_ = 1e18;
        for (const QRectF& r : rectangles_) {
            top_ = std::min(top_, r.top());
            bottom = std::max(bottom, r.bottom());
        }
        slabs_.resize(static_cast<std::size_t>((bottom - top_) / kSlab) + 1);
        for (std::size_t i = 0; i < rectangles_.size(); ++i)
            for (std::size_t s = slabAt(rectangles_[i].top()); s <= slabAt(rectangles_[i].bottom()); ++s)
                slabs_[s].push_back(static_cast<int>(i));
        sortWide();
    }

    const QRectF& operator[](std::size_t i) const { return rectangles_[i]; }
    std::size_t size() const { return rectangles_.size(); }

    /// Calls `visit(index)` once for every rectangle that touches `area`, until it returns false.
    template <typename Visit>
    void visit(const QRectF& area, Visit&& visit) const {
        if (slabs_.empty() || area.bottom() < top_) return;
        const std::size_t first = slabAt(area.top()), last = slabAt(area.bottom());
        for (std::size_t s = first; s <= last; ++s)
            for (const int i : slabs_[s]) {
                const QRectF& r = rectangles_[static_cast<std::size_t>(i)];
                if (s > first && slabAt(r.top()) < s) continue;  // visited in the previous slab
                // Not intersects(): for Qt, a line has no area and touches nothing.
                if (r.left() > area.right() || r.right() < area.left() || r.top() > area.bottom() ||
                    r.bottom() < area.top())
                    continue;
                if (!visit(i)) return;
            }
    }

    /// Whether `test(index)` is true for a rectangle that touches `area`; in any order, and fast in wide pictures, too.
    template <typename Test>
    bool anyOf(const QRectF& area, Test&& test) const {
        if (slabs_.empty() || area.bottom() < top_) return false;
        const auto touches = [&](int i) {
            const QRectF& r = rectangles_[static_cast<std::size_t>(i)];
            return r.right() >= area.left() && r.top() <= area.bottom() && r.bottom() >= area.top() && test(i);
        };
        for (std::size_t s = slabAt(area.top()); s <= slabAt(area.bottom()); ++s) {
            const Wide& wide = wide_[s];
            const auto& slab = wide.byLeft.empty() ? slabs_[s] : wide.byLeft;
            auto it = wide.byLeft.empty() ? slab.begin()
                                          : std::ranges::lower_bound(slab, area.left() - wide.widest, {},
                                                                     [this](int i) { return leftOf(i); });
            for (; it != slab.end(); ++it) {
                if (leftOf(*it) <= area.right()) {
                    if (touches(*it)) return true;
                } else if (!wide.byLeft.empty()) {
                    break;
                }
            }
        }
        return false;
    }

private:
    static constexpr double kSlab = 256;
    static constexpr std::size_t kMany = 32;

    /// A slab with many rectangles, ordered by their left sides.
    struct Wide {
        std::vector<int> byLeft;
        double widest = 0;
    };

    double leftOf(int i) const { return rectangles_[static_cast<std::size_t>(i)].left(); }

    void sortWide() {
        wide_.resize(slabs_.size());
        for (std::size_t s = 0; s < slabs_.size(); ++s) {
            if (slabs_[s].size() < kMany) continue;
            wide_[s].byLeft = slabs_[s];
            std::ranges::sort(wide_[s].byLeft, {}, [this](int i) { return leftOf(i); });
            for (const int i : slabs_[s])
                wide_[s].widest = std::max(wide_[s].widest, rectangles_[static_cast<std::size_t>(i)].width());
        }
    }

    std::size_t slabAt(double y) const {
        const double slab = std::floor((y - top_) / kSlab);
        return static_cast<std::size_t>(std::clamp(slab, 0.0, static_cast<double>(slabs_.size() - 1)));
    }

    std::vector<QRectF> rectangles_;
    std::vector<std::vector<int>> slabs_;
    std::vector<Wide> wide_;
    double top_ = 0;
};

}  // namespace aotscope
