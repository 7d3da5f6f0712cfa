#pragma once

#include "record/compile_record.h"

#include <QAbstractTableModel>
#include <memory>

namespace aotscope {

/// The passes of a run: name, operations after it, milliseconds. Passes that changed nothing are dimmed.
class PassListModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setRecord(std::shared_ptr<const CompileRecord> record);
    const PassRecord* pass(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const CompileRecord> record_;
};

}  // namespace aotscope
