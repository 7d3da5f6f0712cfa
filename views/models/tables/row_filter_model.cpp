#include "models/tables/row_filter_model.h"

namespace aotscope {

void RowFilterModel::setFilter(std::optional<std::size_t> filter) {
    wanted_ = filter ? 1U << *filter : 0U;
    invalidateFilter();
}

bool RowFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const unsigned filters = sourceModel()->index(row, 0, parent).data(TableModel::FiltersRole).toUInt();
    return (wanted_ == 0 || (filters & wanted_) != 0) && QSortFilterProxyModel::filterAcceptsRow(row, parent);
}

}  // namespace aotscope
