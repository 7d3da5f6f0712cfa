#include "panels/run_panel.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace aotscope {

RunPanel::RunPanel(QWidget* parent) : QWidget(parent), table_(new TablePanel(this)) {
    table_->setObjectName(QStringLiteral("runTable"));
    table_->view()->setAccessibleName(tr("Runs"));
    table_->view()->setSelectionMode(QAbstractItemView::ExtendedSelection);
    show_ = addButton(QStringLiteral("showRun"), tr("Show"),
                      tr("Shows the run as it was, or the partition on the joint graph (double click)"));
    compare_ = addButton(QStringLiteral("compareRuns"), tr("Compare"),
                         tr("Compares two selected runs, or the selected one with the open run"));
    measure_ = addButton(QStringLiteral("measureRuns"), tr("Measure"), tr("Times the selected runs"));
    apply_ = addButton(QStringLiteral("applyVariant"), tr("Apply"), tr("Compiles the model with this partition"));
    remove_ = addButton(QStringLiteral("removeRuns"), tr("Remove"), tr("Removes the selected runs from the list"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 4, 6, 0);
    for (QToolButton* button : {show_, compare_, measure_, apply_, remove_}) row->addWidget(button);
    row->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(table_, 1);

    connect(show_, &QToolButton::clicked, this, [this] { Q_EMIT showRequested(marked().front()); });
    connect(table_->view(), &QTableView::doubleClicked, this, [this] { Q_EMIT showRequested(marked().front()); });
    connect(compare_, &QToolButton::clicked, this, [this] {
        auto two = marked();
        if (two.size() == 1) two.push_back(own_);
        Q_EMIT compareRequested(two.front(), two.back());
    });
    connect(measure_, &QToolButton::clicked, this, [this] { Q_EMIT measureRequested(marked()); });
    connect(apply_, &QToolButton::clicked, this, [this] { Q_EMIT applyRequested(marked().front()); });
    connect(remove_, &QToolButton::clicked, this, [this] { Q_EMIT removeRequested(marked()); });
    connect(table_->view()->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &RunPanel::enableWhatApplies);
    enableWhatApplies();
}

QToolButton* RunPanel::addButton(const QString& name, const QString& text, const QString& help) {
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(help);
    return button;
}

void RunPanel::showRows(const std::vector<RunRow>& rows, int own) {
    const auto before = marked();
    own_ = own;
    compiled_.clear();
    for (const RunRow& row : rows) compiled_.push_back(row.compiled);
    table_->setContent(runTable(rows));
    for (const int row : before)
        if (row < static_cast<int>(rows.size()))
            table_->view()->selectionModel()->select(table_->view()->model()->index(row, 0),
                                                     QItemSelectionModel::Select | QItemSelectionModel::Rows);
    enableWhatApplies();
}

std::vector<int> RunPanel::marked() const {
    std::vector<int> rows;
    for (const QModelIndex& index : table_->view()->selectionModel()->selectedRows())
        rows.push_back(table_->sourceRow(index));
    std::ranges::sort(rows);
    return rows;
}

/// A kept partition is one of the open run's joint graph: it can be compared with others of its kind, and that run.
void RunPanel::enableWhatApplies() {
    const auto rows = marked();
    const bool one = rows.size() == 1, own = std::ranges::count(rows, own_) > 0;
    const auto compiled = std::ranges::count_if(rows, [this](int row) { return isCompiled(row); });
    const bool comparable = rows.size() == 2 && (compiled != 1 || own);
    show_->setEnabled(one);
    compare_->setEnabled(comparable || (one && !own));
    measure_->setEnabled(!rows.empty());
    apply_->setEnabled(one && compiled == 0);
    remove_->setEnabled(!rows.empty() && !own);
}

}  // namespace aotscope
