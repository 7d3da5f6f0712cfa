#pragma once

#include "charts/chart_style.h"
#include "models/time_bars.h"

#include <QString>
#include <filesystem>
#include <vector>

class QPainter;

namespace aotscope {

/// Which part of a picture is seen, and where.
struct TimeFrame {
    double start = 0, end = 1;  ///< microseconds
    QRectF area;
    int rows = 1;
    bool memory = false;

    static constexpr double kAxis = 20, kRow = 19, kMemory = 90, kGap = 8;
    static double heightOf(const TimePicture& picture);

    double x(double time) const { return area.left() + (time - start) / (end - start) * area.width(); }
    double time(double x) const { return start + (x - area.left()) / area.width() * (end - start); }
    QRectF rectOf(const TimeBar& bar) const;
    QRectF memoryArea() const;
};

/// `current`: the bar to mark; -1: none.
void paintTimes(QPainter& painter, const TimePicture& picture, const TimeFrame& frame, const ChartStyle& style,
                int current);

/// Writes the whole picture, "svg" or "png" by the file's ending. Needs a QApplication; no screen. Throws Error when
/// the file cannot be written.
void writeTimes(const TimePicture& picture, const QString& title, const std::filesystem::path& file,
                const Theme& theme = Theme::light());

}  // namespace aotscope
