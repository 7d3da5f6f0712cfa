#include "panels/graph/mark_delegate.h"

#include "models/tables/table_model.h"
#include "panels/graph/mark_picture.h"

#include <QPainter>
#include <QWidget>

namespace aotscope {

QPixmap markPicture(const NodeColours& colours, int side, double scale) {
    QPixmap picture(QSize(side, side) * scale);
    picture.setDevicePixelRatio(scale);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colours.border, 1.5));
    painter.setBrush(colours.fill);
    painter.drawRoundedRect(QRectF(1, 1, side - 2, side - 2), 2, 2);
    return picture;
}

void MarkDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const QVariant mark = index.data(TableModel::FateRole);
    if (!mark.isValid()) return;
    const int side = option->fontMetrics.ascent();
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = QSize(side, side);
    const QPixmap picture = markPicture(theme_.colours(static_cast<FateMark>(mark.toInt())), side,
                                        option->widget ? option->widget->devicePixelRatioF() : 1);
    option->icon = QIcon(picture);
    option->icon.addPixmap(picture, QIcon::Selected);  // otherwise the style tints it
}

}  // namespace aotscope
