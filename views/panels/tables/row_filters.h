#pragma once

#include "models/tables/table_content.h"

#include <QButtonGroup>
#include <QToolBar>
#include <QToolButton>
#include <optional>
#include <vector>

namespace aotscope {

/// Buttons for the filters of a table, the first one for all rows. Hidden where it has none; what has no room is in the
/// menu at its end.
class RowFilters : public QToolBar {
    Q_OBJECT

public:
    explicit RowFilters(QWidget* parent = nullptr);

    /// What was chosen stays chosen if the table has it still.
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
