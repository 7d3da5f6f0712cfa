#include "canvas/picture.h"

#include "canvas/svg_writer.h"
#include "support/error.h"

#include <QBuffer>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>

namespace aotscope {

namespace {

constexpr double kPngScale = 2;        ///< pixels per unit, for sharp text
constexpr double kLargestPng = 32000;  ///< pixels per side that image viewers can open
constexpr double kMostPngPixels = 400e6;

/// Title and legend above the picture.
double headerHeight(const DrawnGraph& graph, const PaintOptions& options) {
    return 40 + 16 * static_cast<double>(options.theme.legend(graph, options.colourBy).size());
}

}  // namespace

QRectF pageOf(const DrawnGraph& graph, const GraphLayout& layout, const PaintOptions& options) {
    return layout.bounds.adjusted(0, -headerHeight(graph, options), 0, 0);
}

void paintPage(QPainter& painter, const DrawnGraph& graph, const GraphLayout& layout, const PaintOptions& options,
               const QString& title, const QRectF& page) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(page, options.theme.background);
    paintPicture(painter, graph, layout, options);
    painter.setFont(titleFont());
    painter.setPen(options.theme.text);
    painter.drawText(page.topLeft() + QPointF(16, 24), title);
    paintLegend(painter, graph, page.topLeft() + QPointF(16, 38), options);
}

namespace {

QByteArray renderPng(const DrawnGraph& graph, const GraphLayout& layout, const PaintOptions& options,
                     const QString& title) {
    const QRectF page = pageOf(graph, layout, options);
    const double scale = std::min({kPngScale, kLargestPng / page.width(), kLargestPng / page.height(),
                                   std::sqrt(kMostPngPixels / (page.width() * page.height()))});
    QImage image((page.size() * scale).toSize(), QImage::Format_RGB32);
    if (image.isNull()) throw Error("the picture does not fit into memory as PNG; export SVG or PDF instead");
    image.fill(options.theme.background);  // the page covers the last pixels only partly
    QPainter painter(&image);
    painter.scale(scale, scale);
    painter.translate(-page.topLeft());
    PaintOptions scaled = options;
    scaled.scale = scale;
    paintPage(painter, graph, layout, scaled, title, page);
    painter.end();
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return buffer.data();
}

QByteArray renderPdf(const DrawnGraph& graph, const GraphLayout& layout, const PaintOptions& options,
                     const QString& title) {
    const QRectF page = pageOf(graph, layout, options);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(title);
        writer.setCreator(QStringLiteral("aotscope"));
        writer.setResolution(72);
        writer.setPageMargins({});
        writer.setPageSize(QPageSize(page.size(), QPageSize::Point, QString(), QPageSize::ExactMatch));
        QPainter painter(&writer);
        painter.translate(-page.topLeft());
        paintPage(painter, graph, layout, options, title, page);
    }
    return buffer.data();
}

}  // namespace

QByteArray renderPicture(const DrawnGraph& graph, const GraphLayout& layout, const QString& format,
                         const PaintOptions& options, const QString& title) {
    if (format == QLatin1String("svg")) return writeSvg(graph, layout, options, title);
    return format == QLatin1String("pdf") ? renderPdf(graph, layout, options, title)
                                          : renderPng(graph, layout, options, title);
}

}  // namespace aotscope
