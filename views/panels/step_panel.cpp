#include "panels/step_panel.h"

#include "models/tables/table_text.h"
#include "panels/tables/quiet_focus.h"
#include "panels/tables/whole_rows.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QVBoxLayout>
#include <map>

namespace aotscope {

StepPanel::StepPanel(QWidget* parent)
    : QWidget(parent), state_(new QLabel(this)), view_(new QuietFocus<QTableView>(this)) {
    state_->setObjectName(QStringLiteral("stepState"));
    state_->setWordWrap(true);
    state_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    view_->setObjectName(QStringLiteral("stepTable"));
    view_->setAccessibleName(tr("Steps of the run"));
    view_->setModel(&model_);
    showWholeRows(*view_);
    view_->setAlternatingRowColors(true);
    view_->horizontalHeader()->setStretchLastSection(true);
    auto* copy = new QAction(tr("Copy Rows"), view_);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, [this] {
        QList<int> rows;
        for (const QModelIndex& index : view_->selectionModel()->selectedRows()) rows << index.row();
        QGuiApplication::clipboard()->setText(tableText(model_, rows, TableFormat::text));
    });
    view_->addAction(copy);
    view_->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->addWidget(state_);
    layout->addWidget(view_, 1);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (following_ || !index.isValid()) return;
        const DebugStep& step = model_.steps()[static_cast<std::size_t>(index.row())];
        Q_EMIT nodeSelected(step.node, step.graph);
    });
    connect(view_->verticalScrollBar(), &QScrollBar::valueChanged, this, &StepPanel::rowsSeen);
}

void StepPanel::setSteps(std::shared_ptr<const CompileRecord> record, std::vector<DebugStep> steps) {
    following_ = true;
    model_.setSteps(std::move(record), std::move(steps));
    following_ = false;
    view_->setVisible(!model_.steps().empty());
    // As wide as one of the long rows: there may be too many to measure.
    constexpr int margin = 12;
    const std::map<int, QString> widest = {{StepModel::Mark, QStringLiteral("▶")},
                                           {StepModel::Number, QStringLiteral("00000")},
                                           {StepModel::Graph, QStringLiteral("backward")},
                                           {StepModel::Value, QStringLiteral("%native_batch_norm_backward")},
                                           {StepModel::Operation, QStringLiteral("aten.convolution_backward.default")},
                                           {StepModel::Type, QStringLiteral("f32[128, 512, 16, 16]")},
                                           {StepModel::NotFinite, QStringLiteral("NaN, Inf")}};
    for (int c = 0; c < StepModel::kColumns; ++c) {
        const auto text = widest.find(c);
        const QString number = QStringLiteral("-1.23456e-05");
        view_->setColumnWidth(
            c, view_->fontMetrics().horizontalAdvance(text == widest.end() ? number : text->second) + margin);
    }
}

void StepPanel::setPosition(const DebugPosition& position) {
    model_.setNext(model_.rowOf(position));
    if (model_.rowCount() == 0) return;
    view_->scrollTo(model_.index(std::min(model_.next(), model_.rowCount() - 1), 0),
                    QAbstractItemView::PositionAtCenter);
}

void StepPanel::select(GraphKind graph, NodeId node) {
    following_ = true;
    if (const int row = model_.rowOf(graph, node); row >= 0) view_->selectRow(row);
    else view_->selectionModel()->clear();
    following_ = false;
}

std::map<int, DebugStep> StepPanel::wanted() const {
    std::map<int, DebugStep> steps;
    if (!view_->isVisible()) return steps;
    const int first = view_->rowAt(0), last = view_->rowAt(view_->viewport()->height() - 1);
    for (const int row : model_.unknown(first, last < 0 ? model_.rowCount() - 1 : last))
        steps[row] = model_.steps()[static_cast<std::size_t>(row)];
    return steps;
}

/// Its rows become visible when the page comes to the front.
void StepPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    Q_EMIT rowsSeen();
}

}  // namespace aotscope
