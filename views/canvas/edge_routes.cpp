#include "canvas/edge_routes.h"

#include "canvas/ladder.h"

#include <array>

namespace aotscope {

namespace {

constexpr double kLongestRung = 700;  ///< from row to row; longer ones become stubs
constexpr double kClearance = 1.5, kLane = 9, kTurn = 10;
constexpr int kPieces = 16;  ///< of a curve

bool crosses(const QRectF& box, QPointF a, QPointF b) {
    // Liang and Barsky: what of the segment is left between the four sides.
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
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i].stage == Stage::forward) right = std::max(right, layout.boxes[i].right());
    for (const auto& frame : layout.frames)
        if (!frame.backward) right = std::max(right, frame.rect.right());
    gutter_ = right;
}

bool EdgeRoutes::blocked(const DrawnEdge& edge, const QPainterPath& path) const {
    const std::vector<QPointF> points = flattened(path);
    bool found = false;
    for (std::size_t i = 1; i < points.size() && !found; ++i) {
        const QRectF area = QRectF(points[i - 1], points[i]).normalized();
        boxes_.visit(area, [&](int other) {
            if (other == edge.from || other == edge.to) return true;
            const QRectF solid = box(other).adjusted(kClearance, kClearance, -kClearance, -kClearance);
            found = crosses(solid, points[i - 1], points[i]);
            return !found;
        });
    }
    return found;
}

QPainterPath EdgeRoutes::rung(const DrawnEdge& edge) const {
    const QRectF from = box(edge.from), to = box(edge.to);
    if (std::abs(from.center().y() - to.center().y()) > kLongestRung) return {};
    if (const QPainterPath straight = rungPath(from, to); !blocked(edge, straight)) return straight;
    // Rungs side by side in the gutter, so that they do not lie on each other.
    const double middle = gutter_ + kGutter * (0.2 + 0.6 * ((edge.from * 7 + edge.to) % 16) / 15.0);
    const std::array<double, 2> out = {from.bottom() + kLane, from.top() - kLane},
                                in = {to.bottom() + kLane, to.top() - kLane};
    for (const double leave : out)
        for (const double arrive : in) {
            QPainterPath path({from.right(), from.center().y()});
            turn(path, {from.right() + kTurn, leave});
            path.lineTo(std::max(middle - kTurn, from.right() + kTurn), leave);
            turn(path, {std::max(middle + kTurn, from.right() + 2 * kTurn), arrive});
            path.lineTo(std::max(to.left() - kTurn, path.currentPosition().x()), arrive);
            turn(path, {to.left(), to.center().y()});
            if (!blocked(edge, path)) return path;
        }
    return {};
}

}  // namespace aotscope
