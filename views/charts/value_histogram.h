#pragma once

#include "charts/chart_widget.h"

#include <cstdint>
#include <vector>

namespace aotscope {

/// Counts of a value's elements, from the smallest to the largest.
class ValueHistogram : public ChartWidget {
    Q_OBJECT

public:
    explicit ValueHistogram(QWidget* parent = nullptr);

    /// No bins: shows nothing.
    void setBins(std::vector<std::int64_t> bins, double min, double max);
    const std::vector<std::int64_t>& bins() const { return bins_; }
    /// "tallest bar: 4,372 elements".
    QString tallestText() const;

    QSize sizeHint() const override { return {240, 90}; }
    QSize minimumSizeHint() const override { return {120, 70}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF area() const;
    int binAt(QPointF place) const;
    /// The start of a bin.
    double edge(int bin) const;

    std::vector<std::int64_t> bins_;
    double min_ = 0, max_ = 0;
};

}  // namespace aotscope
