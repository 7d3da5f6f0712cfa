#include "charts/chart_svg.h"

#include "support/file.h"

#include <QBuffer>
#include <QGraphicsScene>
#include <QPainter>
#include <QSvgGenerator>

namespace aotscope {

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

QByteArray chartSvg(QChart& chart, QSize size, const QString& title) {
    QGraphicsScene scene;
    scene.addItem(&chart);
    chart.resize(size);
    scene.setSceneRect(0, 0, size.width(), size.height());
    const QByteArray svg = paintedSvg(size, title, [&](QPainter& painter) {
        painter.fillRect(QRect(QPoint(0, 0), size), chart.backgroundBrush());
        scene.render(&painter, QRectF(QPointF(0, 0), QSizeF(size)), scene.sceneRect());
    });
    scene.removeItem(&chart);
    return svg;
}

void writeParetoSvg(const std::vector<ParetoMark>& marks, const ParetoAxes& axes, const QString& title,
                    const std::filesystem::path& file, const Theme& theme) {
    constexpr QSize size(760, 460);
    const auto chart = makeParetoChart(marks, axes, title, ChartStyle(theme));
    const QByteArray svg = chartSvg(*chart, size, title);
    writeFileAtomically(file, {svg.constData(), static_cast<std::size_t>(svg.size())});
}

}  // namespace aotscope
