#pragma once

#include "models/tables/row_filter_model.h"
#include "panels/graph/mark_delegate.h"
#include "panels/tables/row_filters.h"

#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QWidget>

namespace aotscope {

/// A table with sorting, filters and copying as text; its selection is shared by node.
class TablePanel : public QWidget, public Themed {
    Q_OBJECT

public:
    explicit TablePanel(QWidget* parent = nullptr);

    void setContent(TableContent content);
    /// Another version of the same table: order, widths and place are kept.
    void updateContent(TableContent content);
    const TableContent& content() const { return model_.content(); }
    QTableView* view() const { return view_; }
    void setTheme(const Theme& theme) override;
    QLineEdit* filter() const { return filter_; }
    /// The row of content() at a row of the sorted and filtered view.
    int sourceRow(const QModelIndex& index) const { return proxy_.mapToSource(index).row(); }
    /// The nodes of all selected rows.
    std::vector<NodeId> markedNodes() const;

    /// Marks the rows of `nodes`, if there are any, without a signal. Not while the user's own choice is announced.
    void select(const std::vector<NodeId>& nodes);
    /// Likewise for one row of content().
    void selectRow(int row) { selectRows({row}); }

Q_SIGNALS:
    /// The user has selected one row.
    void nodeSelected(aotscope::NodeId node, aotscope::GraphKind graph);
    /// The user has selected several rows: their nodes in one graph, that of the current row first.
    void nodesSelected(const std::vector<aotscope::NodeId>& nodes, aotscope::GraphKind graph);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void selectRows(const std::vector<int>& sourceRows);
    void measureColumns();
    void fitColumns();
    void onSelectionChanged();
    void copySelection();

    TableModel model_;
    RowFilterModel proxy_;
    QLabel* summary_;
    RowFilters* rowFilters_;
    QLineEdit* filter_;
    QTableView* view_;
    MarkDelegate* marks_;
    std::vector<int> needed_, fitted_;  ///< widths of columns: for whole texts, and as set last
    bool following_ = false;            ///< the selection is being set by code
    bool leading_ = false;              ///< the user's selection is being announced
    bool measured_ = true;              ///< columns are as wide as their texts; else they are resized when visible
};

}  // namespace aotscope
