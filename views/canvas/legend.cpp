#include "canvas/legend.h"

#include <QFontMetrics>
#include <QPainter>

namespace aotscope {

Legend::Legend(const CanvasState& state, QWidget* parent) : QWidget(parent), state_(state) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setObjectName(QStringLiteral("legend"));
}

void Legend::refresh() {
    if (!state_.graph) return hide();
    const QFontMetrics metrics(lineFont());
    int width = 0, rows = 0;
    for (const auto& entry : state_.options.theme.legend(*state_.graph, state_.options.colourBy)) {
        width = std::max(width, metrics.horizontalAdvance(entry.text));
        ++rows;
    }
    resize(width + 44, rows * 16 + 16);
    setVisible(rows > 0);
    update();
}

void Legend::paintEvent(QPaintEvent* /*event*/) {
    if (!state_.graph) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor background = state_.options.theme.background;
    background.setAlpha(220);
    painter.setPen(QPen(state_.options.theme.flow, 0.6));
    painter.setBrush(background);
    painter.drawRoundedRect(rect().adjusted(0, 0, -1, -1), 4, 4);
    paintLegend(painter, *state_.graph, QPointF(10, 11), state_.options);
}

}  // namespace aotscope
