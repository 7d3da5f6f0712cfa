// What heads the columns of item models.
#pragma once

#include <QString>
#include <QVariant>
#include <vector>

namespace aotscope {

struct ColumnHeading {
    QString title, help;
};

/// What headerData() gives of these columns.
inline QVariant columnHeading(const std::vector<ColumnHeading>& columns, int section, Qt::Orientation orientation,
                              int role) {
    if (orientation != Qt::Horizontal || section < 0 || section >= std::ssize(columns)) return {};
    const auto& [title, help] = columns[static_cast<std::size_t>(section)];
    return role == Qt::DisplayRole ? QVariant(title) : role == Qt::ToolTipRole ? QVariant(help) : QVariant();
}

}  // namespace aotscope
