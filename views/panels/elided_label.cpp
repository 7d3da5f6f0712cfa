#include "panels/elided_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace aotscope {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) { setTextFormat(Qt::PlainText); }

QSize ElidedLabel::minimumSizeHint() const {
    return {fontMetrics().horizontalAdvance(QStringLiteral("…")), QLabel::minimumSizeHint().height()};
}

bool ElidedLabel::fits() const { return contentsRect().width() >= QLabel::sizeHint().width(); }

void ElidedLabel::paintEvent(QPaintEvent* event) {
    if (fits()) return QLabel::paintEvent(event);
    QPainter painter(this);
    painter.drawText(contentsRect(), static_cast<int>(alignment()),
                     fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
}

bool ElidedLabel::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || fits()) return QLabel::event(event);
    const QString tip = toolTip().isEmpty() ? text() : text() + QStringLiteral("\n\n") + toolTip();
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tip, this);
    return true;
}

}  // namespace aotscope
