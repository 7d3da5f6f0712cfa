#pragma once

#include "charts/pareto_chart.h"

#include <QByteArray>
#include <QSize>
#include <filesystem>
#include <functional>

namespace aotscope {

/// What `paint` paints, as SVG of this size in pixels.
QByteArray paintedSvg(QSize size, const QString& title, const std::function<void(QPainter&)>& paint);

/// A chart as SVG, of this size in pixels.
QByteArray chartSvg(QChart& chart, QSize size, const QString& title);

/// Writes a Pareto chart. Needs a QApplication; no screen. Throws Error when the file cannot be written.
void writeParetoSvg(const std::vector<ParetoMark>& marks, const ParetoAxes& axes, const QString& title,
                    const std::filesystem::path& file, const Theme& theme = Theme::light());

}  // namespace aotscope
