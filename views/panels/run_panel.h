#pragma once

#include "models/tables/variant_tables.h"
#include "panels/tables/table_panel.h"

#include <QToolButton>

#include <vector>

namespace aotscope {

/// The runs of the open model, and the partitions that are kept under a name, with buttons to show, compare, measure
/// and compile them.
class RunPanel : public QWidget {
    Q_OBJECT

public:
    explicit RunPanel(QWidget* parent = nullptr);

    /// The one of `rows` at `own` is the open run, which cannot be removed.
    void showRows(const std::vector<RunRow>& rows, int own);
    TablePanel* table() const { return table_; }
    /// Indices of the selected rows, in the order of the list.
    std::vector<int> marked() const;

Q_SIGNALS:
    void showRequested(int row);
    /// The earlier row first.
    void compareRequested(int before, int after);
    void measureRequested(const std::vector<int>& rows);
    /// Compile a partition.
    void applyRequested(int row);
    void removeRequested(const std::vector<int>& rows);

private:
    QToolButton* addButton(const QString& name, const QString& text, const QString& help);
    bool isCompiled(int row) const { return compiled_[static_cast<std::size_t>(row)]; }
    void enableWhatApplies();

    TablePanel* table_;
    QToolButton *show_, *compare_, *measure_, *apply_, *remove_;
    std::vector<bool> compiled_;
    int own_ = -1;
};

}  // namespace aotscope
