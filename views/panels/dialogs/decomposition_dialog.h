#pragma once

#include "ops/decompositions/decomposition_table.h"
#include "record/compile_record.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTableView>

namespace aotscope {

/// Edits a table of decompositions: all rules that an operation may have, with those of the table checked.
class DecompositionDialog : public QDialog {
    Q_OBJECT

public:
    /// `table`: null: no decompositions. `rules`: all there are. `record` has their results; null: unknown.
    DecompositionDialog(const DecompositionTable* table, std::vector<DecompositionRule> rules,
                        const CompileRecord* record, QWidget* parent = nullptr);

    /// The edited table, in the format of DecompositionTable::load().
    QByteArray json() const;

Q_SIGNALS:
    /// Write the table to a file and use it; the receiver accepts the dialog.
    void saveRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fill(const CompileRecord* record);
    void build();
    void check(const DecompositionTable* table);
    void onChanged(const QStandardItem* item);
    void count();

    std::vector<DecompositionRule> rules_;  ///< in the order of the rows
    QStandardItemModel model_;
    QSortFilterProxyModel filtered_;
    QComboBox* base_;
    QLineEdit* filter_;
    QTableView* view_;
    QLabel* summary_;
    bool checking_ = false;  ///< by code, not by the user
};

}  // namespace aotscope
