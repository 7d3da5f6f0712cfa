#include "panels/dialogs/decomposition_dialog.h"

#include "models/words/to_qstring.h"
#include "panels/tables/whole_rows.h"
#include "support/joined.h"
#include "support/names.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>
#include <QVBoxLayout>

#include <map>
#include <utility>

namespace aotscope {

namespace {

enum Column { kOperation, kRule, kBecomes, kFrom };

/// The operations that rules have made of operations in this run, each once: "mul, sigmoid".
std::map<std::pair<std::string, std::string>, QStringList> madeIn(const CompileRecord& record) {
    std::map<std::pair<std::string, std::string>, QStringList> made;
    const auto graph = record.graph(record.graph(GraphKind::joint) ? GraphKind::joint : GraphKind::inference);
    for (const Rewrite& rewrite : record.rewrites) {
        QStringList& ops = made[{rewrite.op, rewrite.rule}];
        for (const NodeId id : rewrite.nodes)
            if (const Node* node = graph ? graph->findById(id) : nullptr)
                if (const QString op = toQString(node->op()).section(u'.', 1, 1); !ops.contains(op)) ops << op;
    }
    return made;
}

}  // namespace

DecompositionDialog::DecompositionDialog(const DecompositionTable* table, std::vector<DecompositionRule> rules,
                                         const CompileRecord* record, QWidget* parent)
    : QDialog(parent),
      rules_(std::move(rules)),
      base_(new QComboBox(this)),
      filter_(new QLineEdit(this)),
      view_(new QTableView(this)),
      summary_(new QLabel(this)) {
    setObjectName(QStringLiteral("decompositionDialog"));
    setWindowTitle(tr("Edit Decomposition Table"));
    resize(960, 600);
    for (const std::string& name : DecompositionTable::names()) base_->addItem(toQString(name));
    base_->setCurrentText(table ? toQString(table->base) : QStringLiteral("none"));
    fill(record);
    build();
    check(table);
    connect(&model_, &QStandardItemModel::itemChanged, this, &DecompositionDialog::onChanged);
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        filtered_.setFilterFixedString(text.trimmed());
        count();
    });
    connect(base_, &QComboBox::currentTextChanged, this,
            [this](const QString& name) { check(DecompositionTable::load(name.toStdString()).get()); });
}

void DecompositionDialog::fill(const CompileRecord* record) {
    const auto made = record ? madeIn(*record) : std::map<std::pair<std::string, std::string>, QStringList>();
    model_.setHorizontalHeaderLabels({tr("Operation"), tr("Rule"), tr("Becomes, in This Run"), tr("From")});
    const QStringList tips{tr("The operation that is decomposed where it is checked"),
                           tr("The decomposition: a function that computes the operation by simpler ones"),
                           tr("The operations that it was replaced by in the shown run"),
                           tr("The decomposition tables that have the rule")};
    for (int column = 0; column < tips.size(); ++column) model_.horizontalHeaderItem(column)->setToolTip(tips[column]);
    for (const DecompositionRule& rule : rules_) {
        const auto found = made.find({rule.op, rule.rule});
        QList<QStandardItem*> row;
        for (const QString& text : {toQString(rule.op), toQString(rule.rule),
                                    found == made.end() ? QString() : found->second.join(QStringLiteral(", ")),
                                    toQString(joined(rule.sets, ", "))}) {
            row << new QStandardItem(text);
            row.back()->setEditable(false);
            row.back()->setToolTip(text);
        }
        row[kOperation]->setCheckable(true);
        model_.appendRow(row);
    }
    filtered_.setSourceModel(&model_);
    filtered_.setFilterKeyColumn(-1);
    filtered_.setFilterCaseSensitivity(Qt::CaseInsensitive);
}

void DecompositionDialog::build() {
    base_->setObjectName(QStringLiteral("decompositionBase"));
    base_->setToolTip(tr("The table to start from; choosing one checks its rules"));
    filter_->setObjectName(QStringLiteral("decompositionFilter"));
    filter_->setPlaceholderText(tr("Filter by operation, rule or table"));
    filter_->setAccessibleName(tr("Filter"));
    filter_->setClearButtonEnabled(true);
    view_->setObjectName(QStringLiteral("decompositionList"));
    view_->setAccessibleName(tr("Rules"));
    view_->setModel(&filtered_);
    showWholeRows(*view_);
    view_->setAlternatingRowColors(true);
    view_->setSortingEnabled(true);
    view_->sortByColumn(kOperation, Qt::AscendingOrder);
    for (const auto& [column, letters] : {std::pair{kOperation, 48}, std::pair{kRule, 28}, std::pair{kBecomes, 34}})
        view_->setColumnWidth(column, letters * fontMetrics().averageCharWidth());
    view_->horizontalHeader()->setStretchLastSection(true);
    summary_->setObjectName(QStringLiteral("decompositionSummary"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Save)->setText(tr("Save and Use…"));
    connect(buttons, &QDialogButtonBox::accepted, this, &DecompositionDialog::saveRequested);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* form = new QFormLayout;
    form->addRow(tr("Start from"), base_);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(filter_);
    layout->addWidget(view_, 1);
    layout->addWidget(summary_);
    layout->addWidget(buttons);
}

/// Checks the rules of `table`, and no others.
void DecompositionDialog::check(const DecompositionTable* table) {
    std::map<std::string, std::string> chosen;
    for (const DecompositionEntry& entry : table ? table->entries(rules_) : std::vector<DecompositionEntry>())
        chosen[entry.op] = entry.rule;
    checking_ = true;
    for (std::size_t row = 0; row < rules_.size(); ++row) {
        const auto found = chosen.find(rules_[row].op);
        const bool on = found != chosen.end() && found->second == rules_[row].rule;
        model_.item(static_cast<int>(row), kOperation)->setCheckState(on ? Qt::Checked : Qt::Unchecked);
    }
    checking_ = false;
    count();
}

/// An operation has at most one rule: its other ones are unchecked.
void DecompositionDialog::onChanged(const QStandardItem* item) {
    if (checking_) return;
    checking_ = true;
    if (item->checkState() == Qt::Checked)
        for (int row = 0; row < model_.rowCount(); ++row)
            if (row != item->row() && model_.item(row, kOperation)->text() == item->text())
                model_.item(row, kOperation)->setCheckState(Qt::Unchecked);
    checking_ = false;
    count();
}

void DecompositionDialog::count() {
    std::size_t checked = 0;
    for (int row = 0; row < model_.rowCount(); ++row)
        checked += model_.item(row, kOperation)->checkState() == Qt::Checked;
    summary_->setText(tr("%1 of %2 checked; %3 shown")
                          .arg(checked)
                          .arg(toQString(counted(rules_.size(), "rule")))
                          .arg(filtered_.rowCount()));
}

/// Enter moves from the filter to its results.
void DecompositionDialog::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && filter_->hasFocus()) view_->setFocus(Qt::OtherFocusReason);
    else QDialog::keyPressEvent(event);
}

QByteArray DecompositionDialog::json() const {
    std::vector<DecompositionEntry> chosen;
    for (std::size_t row = 0; row < rules_.size(); ++row)
        if (model_.item(static_cast<int>(row), kOperation)->checkState() == Qt::Checked)
            chosen.push_back({rules_[row].op, rules_[row].rule, rules_[row].sets.front()});
    return QByteArray::fromStdString(DecompositionTable::text(base_->currentText().toStdString(), chosen, rules_));
}

}  // namespace aotscope
