#pragma once

#include "models/tables/table_content.h"

#include <QButtonGroup>
#include <QToolBar>
#include <QToolButton>
#include <optional>
#include <vector>

namespace aotscope {

/// Buttons for the filters of a table, the first one for all rows. Hidden if the table has none; those that do not fit
/// are in the menu at the end.
class RowFilters : public QToolBar {
    Q_OBJECT

public:
    explicit RowFilters(QWidget* parent = nullptr);

    /// The chosen filter is kept if the table still has it.
    void setContent(const TableContent& content);

Q_SIGNALS:
    /// Nothing: all rows.
    void chosen(std::optional<std::size_t> filter);

private:
    void build(const std::vector<TableContent::Filter>& filters);

    QButtonGroup* group_;
    std::vector<QToolButton*> buttons_;
};

}  // namespace aotscope
