#include "canvas/view/backing_picture.h"

#include <cmath>
#include <utility>

namespace aotscope {

namespace {

constexpr double kLeastKnown = 0.4;  ///< of a frame: if less of it is reusable, all of it is painted

bool isIntegral(double x) { return std::abs(x - std::round(x)) < 1e-6; }

/// The pixels that are entirely within `r`.
QRect inside(const QRectF& r) {
    constexpr double slack = 1e-6;  // of what is computed
    const QPointF topLeft(std::ceil(r.left() - slack), std::ceil(r.top() - slack));
    const QPointF bottomRight(std::floor(r.right() + slack), std::floor(r.bottom() + slack));
    return QRectF(topLeft, bottomRight).toRect();
}

}  // namespace

const QImage& BackingPicture::frame(const QTransform& camera, QSize window, qreal pixelRatio, const Paint& paint) {
    const QSize size = (QSizeF(window) * pixelRatio).toSize();
    if (image_.size() != size || image_.devicePixelRatio() != pixelRatio) {
        image_ = QImage(size, QImage::Format_RGB32);
        image_.setDevicePixelRatio(pixelRatio);
        spare_ = {};
        known_ = false;
    }
    if (known_ && camera == camera_) return image_;
    const QRect all = image_.rect(), kept = known_ ? moveTo(camera) : QRect();
    painted_ = QRegion(all) - kept;
    whole_ = kept.isEmpty();
    if (whole_) spare_ = {};  // large windows take megabytes, and are idle most of the time
    const bool rough = !whole_ && !shifts(camera_.inverted() * camera);
    known_ = true;
    camera_ = camera;
    for (const QRect& pixels : painted_) {
        const QRectF part(QPointF(pixels.topLeft()) / pixelRatio, QSizeF(pixels.size()) / pixelRatio);
        QPainter painter(&image_);
        painter.setClipRect(part);
        paint(painter, part, rough);
    }
    return image_;
}

bool BackingPicture::shifts(const QTransform& move) const {
    const qreal ratio = image_.devicePixelRatio();
    return std::abs(move.m11() - 1) < 1e-9 && isIntegral(move.dx() * ratio) && isIntegral(move.dy() * ratio);
}

/// Shifts or scales the image, unless hardly anything of it stays in view; returns the valid part, in pixels.
QRect BackingPicture::moveTo(const QTransform& camera) {
    const QTransform move = camera_.inverted() * camera;
    const qreal ratio = image_.devicePixelRatio();
    const QPointF shift(move.dx() * ratio, move.dy() * ratio);
    const bool shifted = shifts(move);
    const QRectF all = image_.rect();
    QRectF place(shift, all.size() * move.m11());
    if (!shifted) place.adjust(1, 1, -1, -1);  // the outermost pixels blend with those beyond them
    place &= all;
    if (place.width() * place.height() < kLeastKnown * all.width() * all.height()) return {};
    if (spare_.isNull()) {
        spare_ = QImage(image_.size(), image_.format());
        spare_.setDevicePixelRatio(ratio);
    }
    QPainter painter(&spare_);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    if (shifted) {
        painter.drawImage(QPointF(shift.toPoint()) / ratio, image_);
    } else {
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.setTransform(move);
        painter.drawImage(0, 0, image_);
    }
    painter.end();
    std::swap(image_, spare_);
    return inside(place);
}

}  // namespace aotscope
