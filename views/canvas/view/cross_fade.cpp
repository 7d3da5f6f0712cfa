#include "canvas/view/cross_fade.h"

#include <QPainter>
#include <QStyle>

namespace aotscope {

CrossFade::CrossFade(QWidget* widget) : widget_(widget) {
    progress_.setStartValue(1.0);
    progress_.setEndValue(0.0);
    QObject::connect(&progress_, &QVariantAnimation::valueChanged, widget, [widget] { widget->update(); });
    QObject::connect(&progress_, &QVariantAnimation::finished, widget, [this] { before_ = {}; });
}

void CrossFade::start(const QImage& before) {
    progress_.stop();
    before_ = {};
    const int duration = widget_->style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, widget_);
    if (duration <= 0) return;
    before_ = before;
    progress_.setDuration(duration);
    progress_.start();
}

void CrossFade::paint(QPainter& painter) const {
    if (before_.isNull()) return;
    painter.setOpacity(progress_.currentValue().toDouble());
    painter.drawImage(0, 0, before_);
    painter.setOpacity(1);
}

}  // namespace aotscope
