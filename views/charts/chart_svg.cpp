#include "charts/chart_svg.h"

#include "support/file.h"

#include <QBuffer>
#include <QGraphicsScene>
#include <QPainter>
#include <QSvgGenerator>

namespace aotscope {

QByteArray chartSvg(QChart& chart, QSize size, const QString& title) {
    QGraphicsScene scene;
    scene.addItem(&chart);
    chart.resize(size);
    scene.setSceneRect(0, 0, size.width(), size.height());
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
    painter.fillRect(QRect(QPoint(0, 0), size), chart.backgroundBrush());
    scene.render(&painter, QRectF(QPointF(0, 0), QSizeF(size)), scene.sceneRect());
    painter.end();
    scene.removeItem(&chart);
    return buffer.data();
}

void writeParetoSvg(const std::vector<ParetoMark>& marks, const ParetoAxes& axes, const QString& title,
                    const std::filesystem::path& file, const Theme& theme) {
    constexpr QSize size(760, 460);
    const auto chart = makeParetoChart(marks, axes, title, ChartStyle(theme));
    const QByteArray svg = chartSvg(*chart, size, title);
    writeFileAtomically(file, {svg.constData(), static_cast<std::size_t>(svg.size())});
}

}  // namespace aotscope
