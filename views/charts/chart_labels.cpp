#include "charts/chart_labels.h"

#include "canvas/theme.h"

#include <algorithm>

namespace aotscope {

ChartLabels::ChartLabels(QChart& chart, const QColor& colour) : QObject(&chart), chart_(chart), colour_(colour) {
    connect(&chart, &QChart::plotAreaChanged, this, &ChartLabels::place);
}

void ChartLabels::add(QPointF point, const QString& text) {
    auto* item = new QGraphicsSimpleTextItem(text, &chart_);
    item->setFont(lineFont());
    item->setBrush(colour_);
    item->setZValue(20);
    labels_.push_back({point, item});
}

void ChartLabels::place() {
    constexpr qreal above = 7;
    std::vector<QRectF> taken;
    const QRectF plot = chart_.plotArea();
    for (auto& [point, item] : labels_) {
        const QPointF at = chart_.mapToPosition(point);
        QRectF area = item->boundingRect();
        area.moveCenter({at.x(), at.y() - above - area.height() / 2});
        if (area.top() < plot.top()) area.moveTop(at.y() + above);
        area.moveLeft(
            std::clamp(area.left(), plot.left() + 2, std::max(plot.left() + 2, plot.right() - area.width() - 2)));
        item->setPos(area.topLeft());
        const auto meets = [area = area](const QRectF& other) { return other.adjusted(-4, -1, 4, 1).intersects(area); };
        const bool free = std::none_of(taken.begin(), taken.end(), meets);
        item->setVisible(free);
        if (free) taken.push_back(area);
    }
}

}  // namespace aotscope
