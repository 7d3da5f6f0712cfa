#pragma once

#include "charts/chart_widget.h"
#include "record/results/value_facts.h"

namespace aotscope {

/// Two dimensions of a value as colours, from dark blue to yellow, which colour-blind people can distinguish, too; a
/// NaN is magenta. The scale is written beside it.
class HeatMap : public ChartWidget {
    Q_OBJECT

public:
    explicit HeatMap(QWidget* parent = nullptr);

    /// `rows` and `columns` of the value itself; the image may have fewer. No cells: shows nothing.
    void setImage(ValueImage image, std::int64_t rows, std::int64_t columns);
    const ValueImage& image() const { return image_; }

    /// The colour of a number on the scale of the shown image.
    QColor colourOf(double value) const;

    QSize sizeHint() const override { return {240, 170}; }
    QSize minimumSizeHint() const override { return {140, 110}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF area() const;
    void paintIndices(QPainter& painter, const QRectF& area) const;
    void paintScale(QPainter& painter) const;

    ValueImage image_;
    QImage picture_;
    std::int64_t rows_ = 0, columns_ = 0;
    double min_ = 0, max_ = 0;
    bool anyNaN_ = false;
};

}  // namespace aotscope
