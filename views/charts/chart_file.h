#pragma once

#include "charts/plot.h"

#include <QByteArray>
#include <QSize>
#include <filesystem>
#include <functional>

namespace aotscope {

/// Writes the output of `paint` on `size` pixels, as SVG or PNG by the file's extension. Needs a QApplication; no
/// screen. Throws UsageError for another extension, Error if the file cannot be written.
void writePainted(const std::filesystem::path& file, QSize size, const QString& title,
                  const std::function<void(QPainter&)>& paint);

/// The whole plot, as writePainted writes it.
void writePlot(const Plot& plot, const std::filesystem::path& file, const Theme& theme = Theme::light());
/// As SVG. Needs a QApplication; no screen.
QByteArray plotSvg(const Plot& plot, const Theme& theme = Theme::light());

}  // namespace aotscope
