#pragma once

#include <QImage>
#include <QVariantAnimation>
#include <QWidget>

namespace aotscope {

/// Cross-fades from one picture of a widget to the next, unless the user's style disables animations.
class CrossFade {
public:
    explicit CrossFade(QWidget* widget);

    /// `before`: the previous content of the widget; it fades out.
    void start(const QImage& before);
    /// The rest of the previous picture, over the next one.
    void paint(QPainter& painter) const;

private:
    QWidget* widget_;
    QImage before_;
    QVariantAnimation progress_;
};

}  // namespace aotscope
