#pragma once

#include <QStyledItemDelegate>

namespace aotscope {

/// Draws the coloured square of cells whose value has a fate, as the canvas colours it.
class MarkDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace aotscope
