#include "charts/chart_file.h"

#include "charts/plot_painter.h"
#include "support/error.h"
#include "support/file.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

namespace aotscope {

namespace {

constexpr QSize kPlotSize(760, 460);

QByteArray paintedSvg(QSize size, const QString& title, const std::function<void(QPainter&)>& paint) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setResolution(72);
    generator.setTitle(title);
    QPainter painter(&generator);
    painter.setRenderHint(QPainter::Antialiasing);
    paint(painter);
    painter.end();
    return buffer.data();
}

QByteArray paintedPng(QSize size, const std::function<void(QPainter&)>& paint) {
    constexpr int scale = 2;
    QImage image(size * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    paint(painter);
    painter.end();
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return content;
}

std::function<void(QPainter&)> painterOf(const Plot& plot, const Theme& theme) {
    return [&plot, &theme](QPainter& painter) {
        paintPlot(painter, plot, layOut(plot, kPlotSize, plot.x.range, plot.y.range), theme);
    };
}

}  // namespace

void writePainted(const std::filesystem::path& file, QSize size, const QString& title,
                  const std::function<void(QPainter&)>& paint) {
    const QString ending = QFileInfo(QString::fromStdString(file.string())).suffix().toLower();
    if (ending != QLatin1String("svg") && ending != QLatin1String("png"))
        throw UsageError("cannot write '" + file.string() + "': expected a name that ends in .svg or .png");
    const QByteArray content =
        ending == QLatin1String("svg") ? paintedSvg(size, title, paint) : paintedPng(size, paint);
    writeFileAtomically(file, {content.constData(), static_cast<std::size_t>(content.size())});
}

void writePlot(const Plot& plot, const std::filesystem::path& file, const Theme& theme) {
    writePainted(file, kPlotSize, plot.title, painterOf(plot, theme));
}

QByteArray plotSvg(const Plot& plot, const Theme& theme) {
    return paintedSvg(kPlotSize, plot.title, painterOf(plot, theme));
}

}  // namespace aotscope
