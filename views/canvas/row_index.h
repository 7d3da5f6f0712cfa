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
                if (s > first && slabAt(r.top()) < s) continue;  // seen in the slab before
                // Not intersects(): a line has no area, and touches nothing for Qt.
                if (r.left() > area.right() || r.right() < area.left() || r.top() > area.bottom() ||
                    r.bottom() < area.top())
                    continue;
                if (!visit(i)) return;
            }
    }

private:
    static constexpr double kSlab = 256;
    std::size_t slabAt(double y) const {
        const double slab = std::floor((y - top_) / kSlab);
        return static_cast<std::size_t>(std::clamp(slab, 0.0, static_cast<double>(slabs_.size() - 1)));
    }

    std::vector<QRectF> rectangles_;
    std::vector<std::vector<int>> slabs_;
    double top_ = 0;
};

}  // namespace aotscope
