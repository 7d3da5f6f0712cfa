#pragma once

#include "models/tables/table_model.h"

#include <QSortFilterProxyModel>
#include <optional>

namespace aotscope {

/// The sorted rows of a TableModel that contain a text and match a filter of the content.
class RowFilterModel : public QSortFilterProxyModel {
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    /// One of the content's filters; nothing: all rows.
    void setFilter(std::optional<std::size_t> filter);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    unsigned wanted_ = 0;  ///< the filter's bit; 0: all rows
};

}  // namespace aotscope
