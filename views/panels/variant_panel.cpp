#include "panels/variant_panel.h"

#include "models/tables/variant_tables.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

namespace aotscope {

VariantPanel::VariantPanel(QWidget* parent) : QWidget(parent), table_(new TablePanel(this)) {
    table_->setObjectName(QStringLiteral("variantTable"));
    table_->view()->setAccessibleName(tr("Variants"));
    table_->view()->setSelectionMode(QAbstractItemView::ExtendedSelection);
    show_ =
        addButton(QStringLiteral("showVariant"), tr("Show"), tr("Show the variant on the joint graph (double click)"));
    compare_ = addButton(QStringLiteral("compareVariants"), tr("Compare"),
                         tr("Compare two selected variants, or one with the compiled partition"));
    measure_ =
        addButton(QStringLiteral("measureVariant"), tr("Measure"), tr("Compile, run and time the selected variants"));
    activate_ = addButton(QStringLiteral("activateVariant"), tr("Apply"), tr("Compile the model with this partition"));
    remove_ = addButton(QStringLiteral("removeVariant"), tr("Remove"), {});
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 4, 6, 0);
    for (QToolButton* button : {show_, compare_, measure_, activate_, remove_}) row->addWidget(button);
    row->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(table_, 1);

    connect(show_, &QToolButton::clicked, this, [this] { Q_EMIT showRequested(marked().front()); });
    connect(table_->view(), &QTableView::doubleClicked, this, [this] { Q_EMIT showRequested(marked().front()); });
    connect(compare_, &QToolButton::clicked, this, [this] {
        const auto two = marked();
        Q_EMIT compareRequested(two.size() == 2 ? two[0] : 0, two.back());
    });
    connect(measure_, &QToolButton::clicked, this, [this] { Q_EMIT measureRequested(marked()); });
    connect(activate_, &QToolButton::clicked, this, [this] { Q_EMIT activateRequested(marked().front()); });
    connect(remove_, &QToolButton::clicked, this, [this] { Q_EMIT removeRequested(marked()); });
    connect(table_->view()->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &VariantPanel::enableWhatApplies);
    enableWhatApplies();
}

QToolButton* VariantPanel::addButton(const QString& name, const QString& text, const QString& help) {
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(help);
    return button;
}

void VariantPanel::showVariants(const std::vector<Variant>& variants, int shown) {
    const auto before = marked();
    table_->setContent(variantTable(variants, shown));
    for (const int row : before)
        if (row < static_cast<int>(variants.size()))
            table_->view()->selectionModel()->select(table_->view()->model()->index(row, 0),
                                                     QItemSelectionModel::Select | QItemSelectionModel::Rows);
    enableWhatApplies();
}

std::vector<int> VariantPanel::marked() const {
    std::vector<int> rows;
    for (const QModelIndex& index : table_->view()->selectionModel()->selectedRows())
        rows.push_back(table_->sourceRow(index));
    std::sort(rows.begin(), rows.end());
    return rows;
}

void VariantPanel::enableWhatApplies() {
    const auto rows = marked();
    const bool one = rows.size() == 1, compiled = !rows.empty() && rows.front() == 0;
    show_->setEnabled(one);
    compare_->setEnabled(rows.size() == 2 || (one && !compiled));
    measure_->setEnabled(!rows.empty());
    activate_->setEnabled(one && !compiled);
    remove_->setEnabled(!rows.empty() && !compiled);
}

}  // namespace aotscope
