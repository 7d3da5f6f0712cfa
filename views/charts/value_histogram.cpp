#include "charts/value_histogram.h"

#include "canvas/drawn_graph.h"
#include "record/results/value_facts.h"
#include "support/names.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace aotscope {

ValueHistogram::ValueHistogram(QWidget* parent) : ChartWidget(parent) {
    setObjectName(QStringLiteral("valueHistogram"));
    setAccessibleName(tr("Histogram of the value"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void ValueHistogram::setBins(std::vector<std::int64_t> bins, double min, double max) {
    bins_ = std::move(bins);
    min_ = min;
    max_ = max;
    update();
}

/// Height of the bars: the range is written below them.
QRectF ValueHistogram::area() const { return QRectF(rect()).adjusted(4, 4, -4, -18); }

double ValueHistogram::edge(int bin) const { return min_ + (max_ - min_) * bin / static_cast<double>(bins_.size()); }

int ValueHistogram::binAt(QPointF place) const {
    if (bins_.empty() || !area().contains(place)) return -1;
    const double share = (place.x() - area().left()) / area().width();
    return std::clamp(static_cast<int>(share * static_cast<double>(bins_.size())), 0,
                      static_cast<int>(bins_.size()) - 1);
}

void ValueHistogram::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_.background);
    if (bins_.empty()) return;
    const QRectF area = this->area();
    const auto largest = static_cast<double>(std::max<std::int64_t>(*std::ranges::max_element(bins_), 1));
    const double width = area.width() / static_cast<double>(bins_.size());
    for (std::size_t i = 0; i < bins_.size(); ++i) {
        if (bins_[i] == 0) continue;
        // A bin with a single element among millions stays visible.
        const double height = std::max(1.0, area.height() * static_cast<double>(bins_[i]) / largest);
        painter.fillRect(QRectF(area.left() + width * static_cast<double>(i) + 0.5, area.bottom() - height,
                                std::max(1.0, width - 1), height),
                         theme_.estimated);
    }
    painter.setPen(theme_.grid);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.setPen(theme_.text);
    painter.setFont(lineFont());
    const QRectF line(area.left(), area.bottom() + 2, area.width(), 16);
    painter.drawText(line, Qt::AlignLeft, toQString(numberText(min_)));
    painter.drawText(line, Qt::AlignRight, toQString(numberText(max_)));
    painter.setPen(theme_.faintText);
    painter.drawText(line, Qt::AlignHCenter, tallestText());
}

QString ValueHistogram::tallestText() const {
    const auto most = bins_.empty() ? 0 : std::max<std::int64_t>(*std::ranges::max_element(bins_), 0);
    return tr("tallest bar: %1").arg(toQString(counted(static_cast<std::size_t>(most), "element")));
}

bool ValueHistogram::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int bin = binAt(help->pos());
    if (bin < 0) return QWidget::event(event);
    QToolTip::showText(
        help->globalPos(),
        tr("%1 from %2 to %3")
            .arg(toQString(counted(static_cast<std::size_t>(bins_[static_cast<std::size_t>(bin)]), "element")),
                 toQString(numberText(edge(bin))), toQString(numberText(edge(bin + 1)))),
        this);
    return true;
}

}  // namespace aotscope
