#pragma once

#include <QImage>
#include <QPainter>
#include <QRegion>
#include <QTransform>
#include <functional>

namespace aotscope {

/// What a window on a large picture shows, kept as an image: while the window moves, every frame is made of the one
/// before, shifted or scaled, and only what comes into view is painted. Such a frame is nearly right (letters are
/// blurred by scaling, lines may be a pixel off): once the window rests, forget() has it painted as a whole.
class BackingPicture {
public:
    /// Paints a part, given in the coordinates of the window. The painter clips to it and has no transform. `rough`:
    /// what is around it is blurred by scaling, and time matters more than looks.
    using Paint = std::function<void(QPainter& painter, const QRectF& part, bool rough)>;

    /// What a window of this size sees. `camera` maps the picture to the window.
    const QImage& frame(const QTransform& camera, QSize window, qreal pixelRatio, const Paint& paint);
    const QImage& last() const { return image_; }
    /// Call when anything but the camera has changed: nothing of the last frame is used again.
    void forget() { known_ = false; }

    /// What of the last frame was painted, in pixels; the rest comes from the frame before it.
    const QRegion& painted() const { return painted_; }
    /// True if nothing of the last frame comes from the one before it.
    bool isWhole() const { return known_ && whole_; }

private:
    bool shifts(const QTransform& move) const;
    QRect moveTo(const QTransform& camera);

    QImage image_, spare_;  ///< the last frame, and the one before it
    QTransform camera_;     ///< of image_
    bool known_ = false, whole_ = false;
    QRegion painted_;
};

}  // namespace aotscope
