#pragma once

#include "canvas/theme.h"

#include <QStyledItemDelegate>

namespace aotscope {

/// Draws the coloured square of cells whose value has a placement, in the colours of the canvas.
class MarkDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setTheme(const Theme& theme) { theme_ = theme; }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    Theme theme_ = Theme::light();
};

}  // namespace aotscope
