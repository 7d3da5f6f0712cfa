// What heads the columns of item models.
#pragma once

#include "models/words/to_qstring.h"

#include <QVariant>
#include <vector>

namespace aotscope {

struct ColumnHeading {
    QString title, help;
};

/// What headerData() gives of these columns. A help is a tooltip, which begins with a capital.
inline QVariant columnHeading(const std::vector<ColumnHeading>& columns, int section, Qt::Orientation orientation,
                              int role) {
    if (orientation != Qt::Horizontal || section < 0 || section >= std::ssize(columns)) return {};
    const auto& [title, help] = columns[static_cast<std::size_t>(section)];
    return role == Qt::DisplayRole   ? QVariant(title)
           : role == Qt::ToolTipRole ? QVariant(capitalized(help))
                                     : QVariant();
}

}  // namespace aotscope
