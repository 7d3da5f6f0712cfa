#pragma once

#include "record/compile_record.h"
#include "record/pass_failure.h"

#include <QAbstractTableModel>
#include <memory>

namespace aotscope {

/// The passes of a run: name, operations after it, milliseconds. Passes that changed nothing are dimmed; one that
/// failed comes last and is red.
class PassListModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setRecord(std::shared_ptr<const CompileRecord> record);
    /// Null: no such pass, or it failed without a graph.
    const PassRecord* pass(int row) const;
    /// Whether to hide the row: it is neither the loaded program nor a pass that changed something or failed.
    bool isIdle(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant dataOfFailure(int column, int role) const;

    std::shared_ptr<const CompileRecord> record_;
    std::optional<PassFailure> failure_;
};

}  // namespace aotscope
