#include "canvas/legend.h"

#include <QFontMetrics>
#include <QPainter>

namespace aotscope {

namespace {

constexpr int kLine = 20, kLegendMargin = 8, kGap = 18;

/// Top left corner of every entry, and the height of all lines.
std::pair<std::vector<QPoint>, int> flow(const std::vector<Theme::LegendEntry>& entries, int width) {
    std::vector<QPoint> places;
    QPoint next(kLegendMargin, 0);
    for (const auto& entry : entries) {
        const int advance = legendEntryWidth(entry);
        if (next.x() > kLegendMargin && next.x() + advance > width - kLegendMargin)
            next = {kLegendMargin, next.y() + kLine};
        places.push_back(next);
        next.rx() += advance + kGap;
    }
    return {places, entries.empty() ? 0 : next.y() + kLine};
}

}  // namespace

Legend::Legend(const CanvasState& state, QWidget* parent) : QWidget(parent), state_(state) {
    setObjectName(QStringLiteral("legend"));
}

void Legend::refresh() {
    entries_.clear();
    if (state_.graph) entries_ = state_.options.theme.legend(*state_.graph, state_.options.colourBy);
    if (!state_.hits.empty()) entries_.push_back(state_.options.theme.hitEntry());
    if (state_.current >= 0) entries_.push_back(state_.options.theme.currentMark());
    QStringList texts;
    for (const auto& entry : entries_) texts << entry.text;
    setAccessibleName(tr("Legend: %1").arg(texts.join(QStringLiteral(", "))));
    update();
}

int Legend::heightForWidth(int width) const { return flow(entries_, width).second; }

void Legend::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), state_.options.theme.background);
    const auto [places, height] = flow(entries_, width());
    for (std::size_t i = 0; i < entries_.size(); ++i)
        paintLegendEntry(painter, entries_[i], QRectF(places[i], QSizeF(legendEntryWidth(entries_[i]), kLine)),
                         state_.options.theme);
}

}  // namespace aotscope
