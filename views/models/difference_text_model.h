#pragma once

#include "record/graph_difference.h"

#include <QAbstractTableModel>
#include <memory>

namespace aotscope {

/// A difference as text: the graph before and the graph after side by side, nodes that correspond in one row.
class DifferenceTextModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    enum Column { Before, After, What, ColumnCount };

    void setDifference(std::shared_ptr<const GraphDifference> difference);
    /// Leaves out what is the same on both sides.
    void setOnlyDifferences(bool only);
    void setDark(bool dark);
    const DifferenceRow& row(int row) const;
    /// The row of a node of the later graph, or of one that is gone; -1: none is shown.
    int rowOf(NodeId before, NodeId after) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void refresh();

    std::shared_ptr<const GraphDifference> difference_;
    std::vector<std::size_t> shown_;  ///< rows of the difference
    bool only_ = false, dark_ = false;
};

}  // namespace aotscope
