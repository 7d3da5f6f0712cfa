#include "canvas/layout/first_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr int kFewest = 3;             ///< boxes that show what a half is
constexpr Index kMostBeginnings = 6;   ///< boxes that are tried as the beginning
constexpr Index kMostPlaces = 40;      ///< of the window, along either axis
constexpr double kStep = 1.08;         ///< from one distance to the next
constexpr double kMargin = 14;         ///< between a box and the border of the window
constexpr double kFirstBox = 1;        ///< what seeing the very first box is worth, not only an input
constexpr double kLastGradient = 0.5;  ///< what seeing the end of the backward is worth
constexpr double kScreenDown = 0.3;    ///< what not having to look for the top is worth

/// Places along one axis at which a window can begin.
struct Range {
    double first = 0, last = 0;
    double nearest(double place) const { return std::clamp(place, first, last); }
};

/// Where a window of some length can begin in a picture; a shorter picture is in its middle.
Range placesIn(double first, double last, double window) {
    return last - first > window ? Range{first, last - window}
                                 : Range{(first + last - window) / 2, (first + last - window) / 2};
}

/// Those at which the window also shows a box; of a larger box, its beginning.
Range placesToSee(const Range& places, double first, double last, double window) {
    if (last - first > window) return {places.nearest(first), places.nearest(first)};
    return {places.nearest(last - window), places.nearest(first)};
}

/// Every so many of them.
std::vector<double> thinned(std::vector<double> places) {
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    if (places.size() <= kMostPlaces) return places;
    std::vector<double> some;
    for (Index i = 0; i < kMostPlaces; ++i) some.push_back(places[i * places.size() / kMostPlaces]);
    return some;
}

class Seeker {
public:
    Seeker(const DrawnGraph& graph, const GraphLayout& layout) : graph_(graph), layout_(layout) {
        for (Index i = 0; i < graph.nodes.size(); ++i) {
            const int box = static_cast<int>(i);
            const bool backward = graph.isBackward(box);
            Index& count = boxes_[backward ? 1 : 0];
            operations_ += graph.nodes[i].operations;
            const bool begins = count++ == 0 || graph.nodes[i].kind == DrawnNode::Kind::input;
            if (backward) end_ = box;
            else if (begins && beginnings_.size() < kMostBeginnings) beginnings_.push_back(box);
        }
        if (beginnings_.empty() && !graph.nodes.empty()) beginnings_.push_back(0);
    }

    FirstView from(QSizeF window, double further) const {
        FirstView best{further, layout_.bounds.center(), std::numeric_limits<double>::lowest()};
        for (const int beginning : beginnings_)
            if (place(beginning).top() < place(beginnings_.front()).bottom() + window.height())
                look(beginning, window * further, best);
        return best;
    }

private:
    const QRectF& place(int box) const { return layout_.boxes[static_cast<Index>(box)]; }

    struct Seen {
        std::array<Index, 2> boxes{0, 0};
        bool beginning = false, end = false;
        int operations = 0;
        QRectF all;
    };

    Seen seenIn(const QRectF& window, const std::vector<int>& boxes) const {
        Seen seen;
        for (const int box : boxes) {
            if (!window.contains(place(box))) continue;
            ++seen.boxes[graph_.isBackward(box) ? 1 : 0];
            seen.operations += graph_.nodes[static_cast<Index>(box)].operations;
            seen.beginning = seen.beginning || box == beginnings_.front();
            seen.end = seen.end || box == end_;
            seen.all |= place(box);
        }
        return seen;
    }

    bool showsBoth(const Seen& seen) const {
        return seen.boxes[0] >= std::min<Index>(kFewest, boxes_[0]) &&
               seen.boxes[1] >= std::min<Index>(kFewest, boxes_[1]);
    }

    double worth(const Seen& seen, const QRectF& window) const {
        return std::sqrt(static_cast<double>(seen.boxes[0])) + std::sqrt(static_cast<double>(seen.boxes[1])) +
               (seen.beginning ? kFirstBox : 0) + (seen.end ? kLastGradient : 0) -
               kScreenDown * (window.top() - layout_.bounds.top()) / window.height();
    }

    /// The best of the windows that have a beginning in sight.
    void look(int beginning, QSizeF size, FirstView& best) const {
        const QRectF &all = layout_.bounds, &box = place(beginning);
        const Range across = placesToSee(placesIn(all.left(), all.right(), size.width()), box.left(), box.right(),
                                         size.width()),
                    down = placesToSee(placesIn(all.top(), all.bottom(), size.height()), box.top(), box.bottom(),
                                       size.height());
        std::vector<int> near;
        std::vector<double> tops{down.first, down.last}, lefts{across.first, across.last};
        const QRectF reach(across.first, down.first, across.last - across.first + size.width(),
                           down.last - down.first + size.height());
        for (Index i = 0; i < layout_.boxes.size(); ++i) {
            const QRectF& other = layout_.boxes[i];
            if (!reach.contains(other)) continue;
            near.push_back(static_cast<int>(i));
            tops.push_back(down.nearest(other.top() - kMargin));
            tops.push_back(down.nearest(other.bottom() + kMargin - size.height()));
            lefts.push_back(across.nearest(other.left() - kMargin));
            lefts.push_back(across.nearest(other.right() + kMargin - size.width()));
        }
        lefts = thinned(std::move(lefts));
        for (const double top : thinned(std::move(tops))) {
            std::vector<int> level;
            for (const int other : near)
                if (place(other).top() >= top && place(other).bottom() <= top + size.height()) level.push_back(other);
            for (const double left : lefts) {
                const QRectF window(QPointF(left, top), size);
                const Seen seen = seenIn(window, level);
                const double value = worth(seen, window);
                const bool both = showsBoth(seen);
                if (std::pair(both, value) <= std::pair(best.showsBoth, best.seen)) continue;
                const double middle = across.nearest(seen.all.center().x() - size.width() / 2);
                best.centre = {(seen.all.isNull() ? left : middle) + size.width() / 2, top + size.height() / 2};
                best.seen = value;
                best.share = static_cast<double>(seen.operations) / std::max(operations_, 1);
                best.showsBoth = both;
            }
        }
    }

    const DrawnGraph& graph_;
    const GraphLayout& layout_;
    std::array<Index, 2> boxes_{0, 0};
    int operations_ = 0;
    std::vector<int> beginnings_;
    int end_ = -1;  ///< the last box of the backward
};

}  // namespace

FirstView firstView(const DrawnGraph& graph, const GraphLayout& layout, QSizeF window, double furthest) {
    FirstView whole;
    whole.centre = layout.bounds.center();
    if (layout.boxes.empty() || layout.boxes.size() != graph.nodes.size()) return whole;  // its job was cancelled
    const Seeker seeker(graph, layout);
    const FirstView near = seeker.from(window, 1);
    for (double further = 1; !near.showsBoth && further < furthest;) {
        further = std::min(further * kStep, furthest);
        if (const FirstView view = seeker.from(window, further); view.showsBoth) return view;
    }
    return near;
}

}  // namespace aotscope
