#pragma once

#include <QImage>
#include <QPainter>
#include <QRegion>
#include <QTransform>
#include <functional>

namespace aotscope {

/// The view of a large picture, kept as an image: during a movement, every frame is made of the previous one, shifted
/// or scaled, and only new parts are painted. Such a frame is nearly right (labels are blurred by scaling, lines may be
/// a pixel off): when the movement ends, forget() causes a full repaint.
class BackingPicture {
public:
    /// Paints a part, given in the coordinates of the window. The painter clips to it and has no transform. `rough`:
    /// its surroundings are blurred by scaling, and speed matters more than looks.
    using Paint = std::function<void(QPainter& painter, const QRectF& part, bool rough)>;

    /// The content of a window of this size. `camera` maps the picture to the window.
    const QImage& frame(const QTransform& camera, QSize window, qreal pixelRatio, const Paint& paint);
    const QImage& last() const { return image_; }
    /// Call when anything but the camera has changed: the last frame is not reused.
    void forget() { known_ = false; }

    /// The parts of the last frame that were painted, in pixels; the rest comes from the previous frame.
    const QRegion& painted() const { return painted_; }
    /// True if nothing of the last frame comes from the previous one.
    bool isWhole() const { return known_ && whole_; }

private:
    bool shifts(const QTransform& move) const;
    QRect moveTo(const QTransform& camera);

    QImage image_, spare_;  ///< the last frame, and the previous one
    QTransform camera_;     ///< of image_
    bool known_ = false, whole_ = false;
    QRegion painted_;
};

}  // namespace aotscope
