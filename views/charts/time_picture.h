#pragma once

#include "charts/chart_axis.h"
#include "passes/record.h"

#include <QString>
#include <filesystem>
#include <vector>

namespace aotscope {

/// A stretch of time on one of a chart's rows: a graph, a module, or an operation.
struct TimeBar {
    enum class Kind : std::uint8_t { graph, module, operation } kind = Kind::operation;
    QString text, tip;
    double start = 0, length = 0;  ///< microseconds
    int row = 0;
    int around = -1;  ///< the bar that this one is in
    bool backward = false;
    GraphKind graph = GraphKind::forward;
    std::vector<NodeId> nodes;  ///< that it stands for

    double end() const { return start + length; }
};

/// Bars over time, each below the one that it is in, and memory over the same time.
struct TimePicture {
    struct Memory {
        double start = 0, end = 0;            ///< microseconds
        double measured = 0, predicted = -1;  ///< bytes; below 0: not known
    };
    std::vector<TimeBar> bars;   ///< each after the one that it is in
    std::vector<Memory> memory;  ///< in order; empty: no curve

    double length() const;
    int rows() const;
    /// The bar that shows `node` of `graph`; -1: none.
    int barOf(NodeId node, GraphKind graph) const;
};

/// Which part of a picture is seen, and where.
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
void paintTimes(QPainter& painter, const TimePicture& picture, const TimeFrame& frame, const ChartStyle& style,
                int current);

/// Writes the whole picture, as writePainted does.
void writeTimes(const TimePicture& picture, const QString& title, const std::filesystem::path& file,
                const Theme& theme = Theme::light());

}  // namespace aotscope
