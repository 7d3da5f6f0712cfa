#include "canvas/layout/edge_routes.h"

#include "canvas/layout/ladder.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr double kLongestRung = 700;  ///< from row to row; longer ones become stubs
constexpr double kClearance = 1.5, kTurn = 10;
constexpr double kLane = 9, kApart = 4;  ///< of a rung from its own box, and from others
constexpr double kPassing = 2.5;         ///< closer to a border, a rung seems to run along it
constexpr int kMostPassed = 4;           ///< rows to search for a gap, up or down
constexpr int kPieces = 16;              ///< of a curve

bool crosses(const QRectF& box, QPointF a, QPointF b) {
    // Liang and Barsky: the part of the segment inside the rectangle.
    double from = 0, to = 1;
    const auto clip = [&](double direction, double distance) {
        if (direction == 0) return distance >= 0;
        const double t = distance / direction;
        if (direction < 0) from = std::max(from, t);
        else to = std::min(to, t);
        return from <= to;
    };
    const double dx = b.x() - a.x(), dy = b.y() - a.y();
    return clip(-dx, a.x() - box.left()) && clip(dx, box.right() - a.x()) && clip(-dy, a.y() - box.top()) &&
           clip(dy, box.bottom() - a.y());
}

/// A step sideways from one height to another.
void turn(QPainterPath& path, QPointF to) {
    const QPointF from = path.currentPosition();
    const double middle = (from.x() + to.x()) / 2;
    path.cubicTo({middle, from.y()}, {middle, to.y()}, to);
}

}  // namespace

std::vector<QPointF> flattened(const QPainterPath& path) {
    std::vector<QPointF> points;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element element = path.elementAt(i);
        if (!element.isCurveTo()) {
            points.emplace_back(element.x, element.y);
            continue;
        }
        const QPointF p0 = points.back(), p1(element.x, element.y), p2 = path.elementAt(i + 1),
                      p3 = path.elementAt(i + 2);
        for (int k = 1; k <= kPieces; ++k) {
            const double t = static_cast<double>(k) / kPieces, s = 1 - t;
            points.push_back(s * s * s * p0 + 3 * s * s * t * p1 + 3 * s * t * t * p2 + t * t * t * p3);
        }
        i += 2;
    }
    return points;
}

EdgeRoutes::EdgeRoutes(const DrawnGraph& graph, const GraphLayout& layout) : boxes_(layout.boxes) {
    if (!graph.isLadder()) return;
    double right = -1e18;
    std::vector<QRectF> frames;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i].stage == Stage::forward) right = std::max(right, layout.boxes[i].right());
    for (const auto& frame : layout.frames) {
        if (!frame.backward) right = std::max(right, frame.rect.right());
        frames.push_back(frame.rect);
    }
    frames_ = RowIndex(frames);
    gutters_ = layout.gutters;
    if (gutters_.empty()) gutters_.push_back(right);
}

/// The gap that the edge crosses; null: more than one.
const double* EdgeRoutes::gutterOf(const DrawnEdge& edge) const {
    if (gutters_.size() == 1) return gutters_.data();
    constexpr double rounding = 0.5;
    const auto own = std::lower_bound(gutters_.begin(), gutters_.end(), box(edge.from).right() - rounding);
    if (own == gutters_.end()) return nullptr;
    const double end = box(edge.to).left();
    return end > *own && (own + 1 == gutters_.end() || end < own[1]) ? &*own : nullptr;
}

bool EdgeRoutes::blocked(const DrawnEdge& edge, const QPainterPath& path) const {
    return comesNearer(-kClearance, edge, path);
}

/// To a box other than the ends of `edge`; negative distances are within the box.
bool EdgeRoutes::comesNearer(double distance, const DrawnEdge& edge, const QPainterPath& path) const {
    const std::vector<QPointF> points = flattened(path);
    const double around = std::max(distance, 0.0);
    for (std::size_t i = 1; i < points.size(); ++i) {
        const QRectF area = QRectF(points[i - 1], points[i]).normalized().adjusted(-around, -around, around, around);
        const bool found = boxes_.anyOf(area, [&](int other) {
            if (other == edge.from || other == edge.to) return false;
            const QRectF solid = box(other).adjusted(-distance, -distance, distance, distance);
            return crosses(solid, points[i - 1], points[i]);
        });
        if (found) return true;
    }
    return false;
}

/// The height nearest to `y` at which a level line runs along no border of a box or frame.
double EdgeRoutes::lane(double y, double left, double right, bool downwards) const {
    const auto passed = [&](double top, double bottom) { return downwards ? bottom + kApart : top - kApart; };
    for (int i = 0; i < kMostPassed; ++i) {
        double next = y;
        const auto avoid = [&](double top, double bottom) {
            if (y > top - kApart && y < bottom + kApart)
                next = downwards ? std::max(next, passed(top, bottom)) : std::min(next, passed(top, bottom));
            return true;
        };
        const QRectF area(left, y - kApart, std::max(right - left, 0.0), 2 * kApart);
        boxes_.visit(area, [&](int other) { return avoid(box(other).top(), box(other).bottom()); });
        frames_.visit(area, [&](int frame) {
            const QRectF& border = frames_[static_cast<std::size_t>(frame)];
            return avoid(border.top(), border.top()) && avoid(border.bottom(), border.bottom());
        });
        if (next == y) break;
        y = next;
    }
    return y;
}

/// Candidate routes of a rung, the best first.
std::vector<QPainterPath> EdgeRoutes::ways(const DrawnEdge& edge) const {
    const QRectF from = box(edge.from), to = box(edge.to);
    // Spreads rungs in the gutter, so that they do not overlap.
    const double middle = *gutterOf(edge) + kGutter * (0.2 + 0.6 * ((edge.from * 7 + edge.to) % 16) / 15.0);
    const double out = from.right() + kTurn, in = to.left() - kTurn;
    std::vector<QPainterPath> ways{rungPath(from, to)};
    for (const bool leavesBelow : {true, false})
        for (const bool arrivesBelow : {true, false}) {
            const double leave =
                lane(leavesBelow ? from.bottom() + kLane : from.top() - kLane, out, middle, leavesBelow);
            const double arrive = lane(arrivesBelow ? to.bottom() + kLane : to.top() - kLane, middle, in, arrivesBelow);
            QPainterPath path({from.right(), from.center().y()});
            turn(path, {out, leave});
            path.lineTo(std::max(middle - kTurn, out), leave);
            turn(path, {std::max(middle + kTurn, out + kTurn), arrive});
            path.lineTo(std::max(in, path.currentPosition().x()), arrive);
            turn(path, {to.left(), to.center().y()});
            ways.push_back(std::move(path));
        }
    return ways;
}

QPainterPath EdgeRoutes::rung(const DrawnEdge& edge) const {
    if (std::abs(box(edge.from).center().y() - box(edge.to).center().y()) > kLongestRung) return {};
    if (!gutterOf(edge)) return {};
    if (QPainterPath straight = rungPath(box(edge.from), box(edge.to)); !comesNearer(kPassing, edge, straight))
        return straight;
    const std::vector<QPainterPath> ways = this->ways(edge);
    for (const double distance : {kPassing, -kClearance})
        for (const QPainterPath& way : ways)
            if (!comesNearer(distance, edge, way)) return way;
    return {};
}

}  // namespace aotscope
