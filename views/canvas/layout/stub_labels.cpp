#include "canvas/layout/stub_labels.h"

#include "canvas/layout/row_index.h"
#include "canvas/paint.h"

#include <QFontMetricsF>
#include <map>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr double kBesideArrow = 3, kAroundLabel = 2;
constexpr int kFewestLetters = 4;  ///< of a label that is cut off

/// Boxes, and the titles of frames.
std::vector<QRectF> inTheWay(const DrawnGraph& graph, const GraphLayout& layout) {
    std::vector<QRectF> places = layout.boxes;
    const QFontMetricsF metrics(lineFont());
    for (const GroupFrame& frame : layout.frames) {
        if (frame.box >= 0) continue;  // its title is a box
        const double wanted = metrics.horizontalAdvance(frameTitle(*graph.groups, frame));
        const double left = frameTitlePlace(frame).x(), width = std::min(wanted, frame.rect.right() - left);
        places.emplace_back(left, frame.rect.top(), width, kFrameTitle);
    }
    return places;
}

class Labeller {
public:
    Labeller(const DrawnGraph& graph, GraphLayout& layout)
        : graph_(graph), layout_(layout), metrics_(lineFont()), taken_(inTheWay(graph, layout)) {
        least_ = metrics_.horizontalAdvance(QString(kFewestLetters, u'n') + QStringLiteral("…"));
    }

    void run() {
        for (const bool start : {true, false}) share(start);
        for (Index e = 0; e < graph_.edges.size(); ++e)
            if (layout_.edges[e].stub)
                for (const bool start : {true, false}) place(e, start);
    }

private:
    /// Labels of stubs at the same place would overlap: only the first is shown.
    void share(bool start) {
        std::map<std::tuple<int, double, double>, std::vector<Index>> together;
        for (Index e = 0; e < graph_.edges.size(); ++e) {
            const EdgeShape& shape = layout_.edges[e];
            if (!shape.stub) continue;
            const QPointF at = start ? shape.start : shape.end;
            together[{start ? graph_.edges[e].from : graph_.edges[e].to, at.x(), at.y()}].push_back(e);
        }
        for (const auto& [place, edges] : together) {
            for (const Index e : edges)
                if (e != edges.front()) layout_.edges[e].label(start).text.clear();
            if (edges.size() > 1)
                layout_.edges[edges.front()].label(start).text +=
                    QObject::tr(" and %1 more").arg(static_cast<int>(edges.size()) - 1);
        }
    }

    /// In the middle of the arrow's tip, else a line higher or lower: where most of it fits.
    void place(Index e, bool start) {
        EdgeShape& shape = layout_.edges[e];
        StubLabel& label = shape.label(start);
        if (label.text.isEmpty()) return;
        const StubEnd end = stubEnd(graph_.edges[e], shape, start);
        const double wanted = metrics_.horizontalAdvance(label.text);
        QRectF best;
        for (const double lines : {0.0, -1.0, 1.0}) {
            const QRectF found = room(end, lines * metrics_.height(), wanted);
            if (found.width() > best.width()) best = found;
        }
        if (best.width() < std::min(wanted, least_)) {
            label.text.clear();
            return;
        }
        constexpr double rounding = 0.5;
        if (best.width() < wanted - rounding)
            label.text = metrics_.elidedText(label.text, Qt::ElideRight, best.width());
        label.place = best;
        const double height = std::floor(best.center().y() / kRow);
        for (const double row : {height - 1, height, height + 1}) written_[row].push_back(best);
        layout_.bounds |= best;
    }

    /// From the tip outwards, at most `wanted` wide.
    QRectF room(const StubEnd& end, double shift, double wanted) const {
        const double side = end.textAtRight ? 1 : -1, from = end.tip.x() + side * kBesideArrow;
        QRectF line(end.textAtRight ? from : from - wanted, end.tip.y() + shift - metrics_.height() / 2, wanted,
                    metrics_.height());
        const auto keepOff = [&](const QRectF& other) {
            if (!line.intersects(other.adjusted(-kAroundLabel, 0, kAroundLabel, 0))) return;
            if (end.textAtRight) line.setRight(std::max(line.left(), other.left() - kAroundLabel));
            else line.setLeft(std::min(line.right(), other.right() + kAroundLabel));
        };
        taken_.visit(line, [&](int place) {
            keepOff(taken_[static_cast<Index>(place)]);
            return true;
        });
        if (const auto near = written_.find(std::floor(line.center().y() / kRow)); near != written_.end())
            for (const QRectF& other : near->second) keepOff(other);
        return line;
    }

    static constexpr double kRow = 32;  ///< higher than a label

    const DrawnGraph& graph_;
    GraphLayout& layout_;
    QFontMetricsF metrics_;
    RowIndex taken_;
    std::map<double, std::vector<QRectF>> written_;  ///< by row, including neighbouring rows
    double least_ = 0;
};

}  // namespace

void labelStubs(const DrawnGraph& graph, GraphLayout& layout) { Labeller(graph, layout).run(); }

}  // namespace aotscope
