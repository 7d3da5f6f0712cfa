#pragma once

#include "models/tables/table_content.h"

#include <QAbstractTableModel>

namespace aotscope {

/// A TableContent as an item model.
class TableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role { SortRole = Qt::UserRole, NodeRole, FiltersRole, FateRole };

    using QAbstractTableModel::QAbstractTableModel;

    void setContent(TableContent content);
    const TableContent& content() const { return content_; }

    /// The rows that stand for `node`.
    std::vector<int> rowsOf(NodeId node) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    TableContent content_;
};

}  // namespace aotscope
