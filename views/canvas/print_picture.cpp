#include "canvas/print_picture.h"

#include "canvas/picture.h"

#include <cmath>

namespace aotscope {

namespace {

constexpr double kPointsPerInch = 72;
constexpr double kFooter = 18;  ///< points

}  // namespace

int printPicture(QPagedPaintDevice& device, const DrawnGraph& graph, const GraphLayout& layout, PaintOptions options,
                 const QString& title) {
    options.theme = Theme::of({false, options.theme.scheme.colourBlind});
    options.titles = options.texts = nullptr;
    const QRectF picture = pageOf(graph, layout, options);
    QPainter painter(&device);
    const double unit = device.logicalDpiX() / kPointsPerInch;  // device pixels in a point
    const QSizeF page(device.width(), device.height() - kFooter * unit);
    const double scale = std::min(unit, page.width() / picture.width());
    const double slice = page.height() / scale;  // of the picture on one page
    const int pages = std::max(1, static_cast<int>(std::ceil(picture.height() / slice)));
    for (int i = 0; i < pages; ++i) {
        if (i) device.newPage();
        painter.save();
        painter.setClipRect(QRectF({}, page));
        painter.scale(scale, scale);
        painter.translate(-picture.x(), -picture.y() - i * slice);
        paintPage(painter, graph, layout, options, title, picture);
        painter.restore();
        painter.setPen(options.theme.faintText);
        painter.drawText(QRectF(0, page.height(), page.width(), kFooter * unit), Qt::AlignRight | Qt::AlignVCenter,
                         QStringLiteral("%1   %2 / %3").arg(title, QString::number(i + 1), QString::number(pages)));
    }
    return pages;
}

}  // namespace aotscope
