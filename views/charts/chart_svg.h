#pragma once

#include "charts/pareto_chart.h"

#include <QByteArray>
#include <QSize>
#include <filesystem>

namespace aotscope {

/// A chart as SVG, of this size in pixels.
QByteArray chartSvg(QChart& chart, QSize size, const QString& title);

/// Writes a Pareto chart. Needs a QApplication; no screen. Throws Error when the file cannot be written.
void writeParetoSvg(const std::vector<ParetoMark>& marks, const ParetoAxes& axes, const QString& title,
                    const std::filesystem::path& file, const Theme& theme = Theme::light());

}  // namespace aotscope
