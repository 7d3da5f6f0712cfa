#pragma once

#include "canvas/theme.h"

#include <QRectF>
#include <vector>

class QPainter;

namespace aotscope {

/// A part of an axis, in units of the data.
struct AxisRange {
    double low = 0, high = 1;

    /// From `low` to `high`; a little longer if they are equal.
    static AxisRange spanning(double low, double high);

    double length() const { return high - low; }
    bool contains(double value) const { return low <= value && value <= high; }
    double share(double value) const { return (value - low) / length(); }  ///< 0 at `low`, 1 at `high`
    double at(double share) const { return low + share * length(); }
    AxisRange moved(double by) const { return {low + by, high + by}; }
    /// A factor above 1 zooms in. `centre` keeps its place on the screen.
    AxisRange zoomed(double factor, double centre) const;
    /// The nearest range inside `whole` that is not shorter than `least`.
    AxisRange within(const AxisRange& whole, double least) const;
    bool operator==(const AxisRange&) const = default;
};

enum class AxisNumbers : std::uint8_t {
    any,
    whole,  ///< something is counted
    powers  ///< exponents of ten, written as what they stand for
};

/// Round numbers in a range: multiples of 1, 2 or 5 times a power of ten.
class AxisTicks {
public:
    AxisTicks() = default;
    /// At most `most` steps.
    AxisTicks(const AxisRange& range, int most, AxisNumbers numbers = AxisNumbers::any);
    /// As many as are readable side by side on so many pixels, or one above the other.
    static AxisTicks across(const AxisRange& range, double width, AxisNumbers numbers = AxisNumbers::any);
    static AxisTicks upwards(const AxisRange& range, double height, AxisNumbers numbers = AxisNumbers::any);

    const std::vector<double>& values() const { return values_; }
    /// With as many decimals as distinguish two ticks: "0.25", "1,500", "2e9".
    QString text(double value) const;
    /// Pixels of the longest text.
    double widest() const;
    /// Drops the others.
    void keepWithin(const AxisRange& range);

private:
    std::vector<double> values_;
    double step_ = 1;
    bool scientific_ = false, powers_ = false;
};

enum class AxisSide : std::uint8_t { left, right, bottom };

/// Writes the numbers of `ticks` beside `area`, which shows `range`. A range from high to low is reversed.
void paintTicks(QPainter& painter, AxisSide side, const QRectF& area, const AxisRange& range, const AxisTicks& ticks,
                const Theme& theme);

/// Shades the part of a chart that its user has marked.
void paintMarked(QPainter& painter, const QRectF& marked, const Theme& theme);

/// Between the area and the text of its ticks.
constexpr double kTickGap = 6;

}  // namespace aotscope
