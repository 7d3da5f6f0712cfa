#include "canvas/view/entrance.h"

#include <algorithm>
#include <iterator>

namespace aotscope {

namespace {

constexpr std::size_t kMostTried = 500;  ///< boxes of a beginning that are worth the time

/// What is entirely visible with `left` at the edge of the window.
struct Seen {
    Seen(const std::vector<QRectF>& boxes, double left, double width) {
        for (const QRectF& box : boxes) {
            if (box.left() < left || box.right() > left + width) continue;
            ++count;
            all |= box;
        }
    }
    int count = 0;
    QRectF all;
};

}  // namespace

double entranceOf(const GraphLayout& layout, QSizeF window) {
    if (layout.boxes.empty()) return layout.bounds.center().x();
    const QRectF first = layout.boxes.front();
    std::vector<QRectF> beginning;
    std::ranges::copy_if(layout.boxes, std::back_inserter(beginning),
                         [&](const QRectF& box) { return box.bottom() <= layout.bounds.top() + window.height(); });
    if (beginning.size() > kMostTried) return first.center().x();
    Seen most({first}, first.left(), window.width());
    for (const QRectF& box : beginning) {
        if (box.left() > first.left() || box.left() + window.width() < first.right()) continue;
        if (const Seen seen(beginning, box.left(), window.width()); seen.count > most.count) most = seen;
    }
    return most.count > 0 ? most.all.center().x() : first.center().x();
}

}  // namespace aotscope
