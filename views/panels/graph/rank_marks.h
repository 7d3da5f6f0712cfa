#pragma once

#include "canvas/theme.h"
#include "models/tables/value_table.h"

#include <QLabel>
#include <QStyledItemDelegate>
#include <functional>

namespace aotscope {

/// Draws before the number of a rank the colour of all ranks that have the same value.
class RankDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    /// `markOf`: for a row of the table.
    using MarkOf = std::function<RankRowMark(const QModelIndex& index)>;
    RankDelegate(MarkOf markOf, QObject* parent) : QStyledItemDelegate(parent), markOf_(std::move(markOf)) {}

    void setTheme(const Theme& theme) { theme_ = theme; }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    MarkOf markOf_;
    Theme theme_ = Theme::light();
};

/// The meaning of the ranks' colours for one value.
class RankLegend : public QLabel, public Themed {
    Q_OBJECT

public:
    explicit RankLegend(QWidget* parent);

    void setValue(const ShownValue& value);
    void setTheme(const Theme& theme) override;
    /// Without the colours.
    QString plainText() const;

private:
    void write();

    std::vector<RankGroupText> groups_;
    Theme theme_ = Theme::light();
};

}  // namespace aotscope
