#pragma once

#include <QImage>
#include <QVariantAnimation>
#include <QWidget>

namespace aotscope {

/// Lets one picture of a widget pass into the next, unless the person's style is without animations.
class CrossFade {
public:
    explicit CrossFade(QWidget* widget);

    /// `before` is what the widget has shown; it fades.
    void start(const QImage& before);
    /// What is left of the picture before, over the next one.
    void paint(QPainter& painter) const;

private:
    QWidget* widget_;
    QImage before_;
    QVariantAnimation progress_;
};

}  // namespace aotscope
