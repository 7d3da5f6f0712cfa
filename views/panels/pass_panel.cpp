#include "panels/pass_panel.h"

#include "panels/tables/quiet_focus.h"
#include "panels/tables/whole_rows.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

namespace aotscope {

PassPanel::PassPanel(QWidget* parent)
    : QWidget(parent),
      view_(new QuietFocus<QTableView>(this)),
      hideIdle_(new QCheckBox(tr("Hide Passes Without Changes"), this)) {
    view_->setModel(&model_);
    view_->setObjectName(QStringLiteral("passList"));
    view_->setAccessibleName(tr("Passes"));
    showWholeRows(*view_);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setShowGrid(false);
    view_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    view_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    view_->horizontalHeader()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(view_);
    auto* below = new QHBoxLayout;
    below->setContentsMargins(4, 0, 4, 0);
    below->addWidget(hideIdle_);
    layout->addLayout(below);
    hideIdle_->setToolTip(tr("Leaves out the steps of the pipeline that did not change the graph of this run"));
    hideIdle_->setObjectName(QStringLiteral("hideIdlePasses"));
    connect(hideIdle_, &QCheckBox::toggled, this, &PassPanel::fold);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
        if (!model_.pass(current.row())) return;
        Q_EMIT passMarked(current.row());
        if (!marking_) Q_EMIT passSelected(current.row());
    });
    // Another graph may have been shown since: a click on the current row brings the pass back.
    connect(view_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (model_.pass(index.row())) Q_EMIT passSelected(index.row());
    });
}

void PassPanel::setRecord(std::shared_ptr<const CompileRecord> record) {
    model_.setRecord(std::move(record));
    fold();
}

/// The first row is the loaded program, which the others are compared with.
void PassPanel::fold() {
    for (int row = 0; row < model_.rowCount(); ++row)
        view_->setRowHidden(row, hideIdle_->isChecked() && model_.isIdle(row));
}

int PassPanel::currentPass() const { return view_->currentIndex().row(); }

void PassPanel::setCurrentPass(int row) { view_->selectRow(row); }

void PassPanel::mark(int row) {
    marking_ = true;
    view_->selectRow(row);
    marking_ = false;
}

int PassPanel::next(int direction) const {
    for (int row = currentPass() + direction; row >= 0 && row < model_.rowCount(); row += direction)
        if (model_.pass(row) && !model_.isIdle(row)) return row;
    return -1;
}

void PassPanel::step(int direction) {
    if (const int row = next(direction); row >= 0) setCurrentPass(row);
}

}  // namespace aotscope
