#include "charts/heat_map.h"

#include "canvas/drawn_graph.h"
#include "charts/chart_axis.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>

namespace aotscope {

namespace {

constexpr int kScaleWidth = 84, kBarWidth = 12, kMargin = 6;

/// Nine colours of "cividis" (Nuñez, Anderton and Renslow, 2018), at equal distances.
constexpr std::array<QRgb, 9> kScale = {0xff00204c, 0xff00336e, 0xff39486b, 0xff575c6d, 0xff707173,
                                        0xff8a8678, 0xffa69d75, 0xffc4b56c, 0xffffe945};
constexpr QRgb kNaN = 0xffff2fd6;

QRgb scaleColour(double share) {
    const double place = std::clamp(share, 0.0, 1.0) * (kScale.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), kScale.size() - 2);
    const double part = place - static_cast<double>(below);
    const auto mix = [&](int (*channel)(QRgb)) {
        return static_cast<int>(std::lround(channel(kScale[below]) * (1 - part) + channel(kScale[below + 1]) * part));
    };
    return qRgb(mix(qRed), mix(qGreen), mix(qBlue));
}

/// Each index is centred on its cell.
AxisRange indicesOf(std::int64_t count) { return {-0.5, static_cast<double>(count) - 0.5}; }

}  // namespace

HeatMap::HeatMap(QWidget* parent) : ChartWidget(parent) {
    setObjectName(QStringLiteral("heatMap"));
    setAccessibleName(tr("Image of the value"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void HeatMap::setImage(ValueImage image, std::int64_t rows, std::int64_t columns) {
    image_ = std::move(image);
    rows_ = rows;
    columns_ = columns;
    min_ = max_ = 0;
    anyNaN_ = false;
    bool first = true;
    for (const double x : image_.cells) {
        anyNaN_ = anyNaN_ || std::isnan(x);
        if (!std::isfinite(x)) continue;
        min_ = first ? x : std::min(min_, x);
        max_ = first ? x : std::max(max_, x);
        first = false;
    }
    picture_ = QImage(static_cast<int>(image_.columns), static_cast<int>(image_.rows), QImage::Format_RGB32);
    auto cell = image_.cells.begin();
    for (int y = 0; y < picture_.height(); ++y)
        for (int x = 0; x < picture_.width(); ++x) picture_.setPixel(x, y, colourOf(*cell++).rgb());
    update();
}

QColor HeatMap::colourOf(double value) const {
    if (std::isnan(value)) return kNaN;
    if (max_ <= min_) return scaleColour(std::isinf(value) ? (value > 0 ? 1 : 0) : 0.5);
    return scaleColour((value - min_) / (max_ - min_));
}

/// Cells are square if that leaves them large enough. Indices are written to the left and below.
QRectF HeatMap::area() const {
    if (picture_.isNull()) return {};
    const double line = QFontMetricsF(lineFont()).height();
    QRectF room = QRectF(rect()).adjusted(kMargin, kMargin, -kScaleWidth, -kMargin - line);
    room.setLeft(kMargin + AxisTicks::upwards(indicesOf(rows_), room.height(), AxisNumbers::whole).widest() + kTickGap);
    if (room.width() < 1 || room.height() < 1) return {};
    constexpr double smallest = 1.0;
    const double cell = std::min(room.width() / picture_.width(), room.height() / picture_.height());
    if (cell < smallest) return room;
    return {room.topLeft(), QSizeF(cell * picture_.width(), cell * picture_.height())};
}

void HeatMap::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_.background);
    const QRectF area = this->area();
    if (area.isEmpty()) return;
    painter.drawImage(area, picture_);
    paintIndices(painter, area);
    paintScale(painter);
}

/// The first row is at the top.
void HeatMap::paintIndices(QPainter& painter, const QRectF& area) const {
    const AxisRange rows = indicesOf(rows_), columns = indicesOf(columns_);
    paintTicks(painter, AxisSide::left, area, {rows.high, rows.low},
               AxisTicks::upwards(rows, area.height(), AxisNumbers::whole), theme_);
    paintTicks(painter, AxisSide::bottom, area, columns, AxisTicks::across(columns, area.width(), AxisNumbers::whole),
               theme_);
}

/// The colours from the smallest to the largest value, labelled with these two and round numbers between them.
void HeatMap::paintScale(QPainter& painter) const {
    const double line = QFontMetricsF(lineFont()).height();
    const QRectF bar(width() - kScaleWidth + 8, kMargin + line / 2, kBarWidth,
                     height() - 2 * kMargin - line - (anyNaN_ ? line + 6 : 0));
    for (int y = 0; y < static_cast<int>(bar.height()); ++y)
        painter.fillRect(QRectF(bar.left(), bar.top() + y, bar.width(), 1), QColor(scaleColour(1 - y / bar.height())));
    const AxisRange range = AxisRange::spanning(min_, max_);
    AxisTicks ticks = AxisTicks::upwards(range, bar.height() / 2);
    ticks.keepWithin({range.at(line / bar.height()), range.at(1 - line / bar.height())});
    if (max_ > min_) paintTicks(painter, AxisSide::right, bar, range, ticks, theme_);
    painter.setFont(lineFont());
    painter.setPen(theme_.text);
    const auto write = [&](double y, const QString& text) {
        painter.drawText(QRectF(bar.right() + kTickGap, y - line / 2, width() - bar.right() - kTickGap, line),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    write(bar.top(), toQString(numberText(max_)));
    write(bar.bottom(), toQString(numberText(min_)));
    if (!anyNaN_) return;
    const QRectF sample(bar.left(), bar.bottom() + line / 2 + 6, kBarWidth, line - 2);
    painter.fillRect(sample, QColor(kNaN));
    write(sample.center().y(), tr("NaN"));
}

bool HeatMap::event(QEvent* event) {
    const QRectF area = this->area();
    if (event->type() != QEvent::ToolTip || area.isEmpty()) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (!area.contains(help->pos())) return QWidget::event(event);
    const auto column = static_cast<std::int64_t>((help->pos().x() - area.left()) / area.width() * picture_.width());
    const auto row = static_cast<std::int64_t>((help->pos().y() - area.top()) / area.height() * picture_.height());
    const QString value = toQString(numberText(image_.cells[static_cast<std::size_t>(row * image_.columns + column)]));
    const bool averaged = rows_ > image_.rows || columns_ > image_.columns;
    QToolTip::showText(help->globalPos(),
                       averaged ? tr("near [%1, %2]: %3 on average")
                                      .arg(row * rows_ / image_.rows)
                                      .arg(column * columns_ / image_.columns)
                                      .arg(value)
                                : tr("[%1, %2] = %3").arg(row).arg(column).arg(value),
                       this);
    return true;
}

}  // namespace aotscope
