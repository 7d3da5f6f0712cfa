#pragma once

#include "charts/chart_axis.h"
#include "models/time_bars.h"

#include <QString>
#include <filesystem>
#include <vector>

namespace aotscope {

/// The visible part of a picture, and its place.
struct TimeFrame {
    AxisRange seen;  ///< microseconds
    QRectF area;
    int rows = 1;
    bool memory = false;

    static constexpr double kAxis = 20, kRow = 19, kMemory = 90, kGap = 8;
    static double heightOf(const TimePicture& picture);

    double x(double time) const { return area.left() + seen.share(time) * area.width(); }
    double time(double x) const { return seen.at((x - area.left()) / area.width()); }
    QRectF rectOf(const TimeBar& bar) const;
    QRectF memoryArea() const;
};

/// `current`: the bar to mark; -1: none.
void paintTimes(QPainter& painter, const TimePicture& picture, const TimeFrame& frame, const Theme& theme, int current);

/// Writes whole pictures, one below the other on one time axis, as writePainted does.
void writeTimes(const std::vector<TimePicture>& pictures, const QString& title, const std::filesystem::path& file,
                const Theme& theme = Theme::light());

}  // namespace aotscope
