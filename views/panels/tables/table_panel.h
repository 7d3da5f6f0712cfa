#pragma once

#include "models/tables/row_filter_model.h"
#include "models/tables/table_text.h"
#include "panels/graph/mark_delegate.h"
#include "panels/tables/row_filters.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>
#include <QWidget>
#include <map>

namespace aotscope {

/// A table with sorting, filters, sums of what is filtered or selected, columns to choose, and copying as text; its
/// selection is shared by node.
class TablePanel : public QWidget, public Themed {
    Q_OBJECT

public:
    explicit TablePanel(QWidget* parent = nullptr);

    void setContent(TableContent content);
    /// Another version of the same table: order and place are kept, and columns get no narrower.
    void updateContent(TableContent content);
    const TableContent& content() const { return model_.content(); }
    QTableView* view() const { return view_; }
    void setTheme(const Theme& theme) override;
    QLineEdit* filter() const { return filter_; }
    /// The row of content() at a row of the sorted and filtered view.
    int sourceRow(const QModelIndex& index) const { return proxy_.mapToSource(index).row(); }
    /// The nodes of all selected rows.
    std::vector<NodeId> markedNodes() const;

    /// The titles of the columns that are not shown. One column always is.
    const QStringList& hiddenColumns() const { return hidden_; }
    void setHiddenColumns(const QStringList& titles);
    /// A check box for each column.
    QMenu* columnMenu() const { return columnMenu_; }

    struct Copied {
        QString text;
        qsizetype rows = 0;
    };
    /// The selected rows if there are more than `moreThan`, else all that the filters show; in the order of the view,
    /// without hidden columns.
    Copied copied(TableFormat format, qsizetype moreThan = 0) const;

    /// Marks the rows of `nodes`, if there are any, without a signal. Not while the user's own choice is announced.
    void select(const std::vector<NodeId>& nodes);
    /// Likewise for one row of content().
    void selectRow(int row) { selectRows({row}); }

Q_SIGNALS:
    /// The user has selected one row.
    void nodeSelected(aotscope::NodeId node, aotscope::GraphKind graph);
    /// The user has selected several rows: their nodes in one graph, that of the current row first.
    void nodesSelected(const std::vector<aotscope::NodeId>& nodes, aotscope::GraphKind graph);
    /// The user has chosen columns.
    void columnsChosen(const QStringList& hidden);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showContent(TableContent content);
    void selectRows(const std::vector<int>& sourceRows);
    std::vector<int> shownColumns() const;
    void hideColumns();
    void fillColumnMenu();
    void chooseColumn(const QString& title, bool shown);
    void measureColumns();
    void fitColumns();
    void onResized(int column, int width);
    void onSelectionChanged();
    void showSums();

    TableModel model_;
    RowFilterModel proxy_;
    QLabel* summary_;
    RowFilters* rowFilters_;
    QLineEdit* filter_;
    QTableView* view_;
    MarkDelegate* marks_;
    QLabel* sums_;
    QMenu* columnMenu_;
    QStringList hidden_;          ///< titles of columns
    std::vector<int> needed_;     ///< widths of columns, for whole texts
    std::vector<int> least_;      ///< what columns needed in another version of the table
    std::map<int, int> dragged_;  ///< columns whose width the user has chosen
    bool fitting_ = false;        ///< widths are being set by code
    bool following_ = false;      ///< the selection is being set by code
    bool leading_ = false;        ///< the user's selection is being announced
    bool measured_ = true;        ///< columns are as wide as their texts; else they are resized when visible
};

}  // namespace aotscope
