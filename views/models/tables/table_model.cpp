#include "models/tables/table_model.h"

#include "models/palette.h"
#include "models/release.h"
#include "models/words/to_qstring.h"

#include <QGuiApplication>
#include <QPalette>

namespace aotscope {

namespace {

constexpr std::size_t kManyRows = 5'000;

/// On the background of tables; nothing for cells without a mark.
QVariant colourOf(TableContent::Mark mark) {
    if (mark == TableContent::Mark::none) return {};
    const bool dark = QGuiApplication::palette().color(QPalette::Base).lightness() < 128;
    return verdictColour(mark == TableContent::Mark::good, dark);
}

}  // namespace

void TableModel::setContent(TableContent content) {
    beginResetModel();
    std::swap(content_, content);
    endResetModel();
    if (content.rows.size() > kManyRows) releaseInBackground(std::move(content));
}

std::vector<int> TableModel::rowsOf(NodeId node) const {
    std::vector<int> rows;
    for (std::size_t i = 0; node != kNoNode && i < content_.rows.size(); ++i)
        if (content_.rows[i].node == node) rows.push_back(static_cast<int>(i));
    return rows;
}

int TableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(content_.rows.size());
}

int TableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(content_.columns.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const auto& row = content_.rows[static_cast<std::size_t>(index.row())];
    const auto& cell = row.cells[static_cast<std::size_t>(index.column())];
    switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole: return cell.text;
        case SortRole: return cell.sortKey.isValid() ? cell.sortKey : QVariant(cell.text);
        case NodeRole: return row.node;
        case Qt::ForegroundRole: return colourOf(cell.mark);
        case FiltersRole: return row.filters;
        case FateRole: return cell.fate ? QVariant(static_cast<int>(*cell.fate)) : QVariant();
        case Qt::TextAlignmentRole:
            return QVariant(content_.columns[static_cast<std::size_t>(index.column())].numeric
                                ? Qt::AlignRight | Qt::AlignVCenter
                                : Qt::AlignLeft | Qt::AlignVCenter);
        default: return {};
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return QAbstractTableModel::headerData(section, orientation, role);
    const auto& column = content_.columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return column.title;
    if (role == Qt::ToolTipRole) return capitalized(column.help);
    // What is largest, slowest or most frequent is what a first click looks for.
    if (role == Qt::InitialSortOrderRole) return column.numeric ? Qt::DescendingOrder : Qt::AscendingOrder;
    if (role == Qt::TextAlignmentRole)
        return QVariant(column.numeric ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

}  // namespace aotscope
