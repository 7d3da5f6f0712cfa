#include "panels/what_if_panel.h"

#include "canvas/drawn_graph.h"
#include "models/words/to_qstring.h"
#include "record/options/option_table.h"
#include "record/options/peak_limit.h"
#include "support/formatted.h"

#include <QAction>
#include <QFormLayout>
#include <QGridLayout>
#include <QGroupBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <cmath>

namespace aotscope {

namespace {

constexpr int kSteps = 100;         ///< of the slider, from 0 to 1
constexpr double kFirstPeak = 0.7;  ///< offered when a plan is chosen
constexpr int kNodeRole = Qt::UserRole;

/// Scrolls vertically only: as wide as its content.
class ScrolledColumn : public QScrollArea {
public:
    using QScrollArea::QScrollArea;
    QSize minimumSizeHint() const override {
        return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(),
                QScrollArea::minimumSizeHint().height()};
    }
};

/// The option that a control shows, by its key in session files. The panel calls it by the same name.
const OptionEntry& optionOf(std::string_view session) {
    const auto entry = std::ranges::find(optionTable(), session, &OptionEntry::session);
    check(entry != optionTable().end(), "what-if has controls only for options");
    return *entry;
}

QString labelOf(std::string_view session) { return toQString(optionOf(session).label); }
QString helpOf(std::string_view session) { return capitalized(toQString(optionOf(session).help)); }

constexpr std::string_view kAlgorithm = "partition.algorithm", kBudget = "partition.memoryBudget",
                           kPeak = "partition.peak", kSolver = "partition.solver", kEstimator = "partition.estimator";

/// Of the peak if everything is kept. A limit in bytes may be any share.
double shareOf(const PartitionOptions& options) {
    const double share = options.peak.empty() ? kFirstPeak : PeakLimit::of(options.peak).share;
    return share > 0 ? share : 1;
}

std::string shareText(double share) { return formatted("%.3g", share); }

/// A value as the command line and the options call it.
void addNamed(QComboBox* box, std::string_view name, int value, const QString& help) {
    box->addItem(toQString(name), value);
    box->setItemData(box->count() - 1, help, Qt::ToolTipRole);
}

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    return label;
}

}  // namespace

WhatIfPanel::WhatIfPanel(QWidget* parent)
    : QWidget(parent),
      algorithm_(new QComboBox(this)),
      solver_(new QComboBox(this)),
      estimator_(new QComboBox(this)),
      budget_(new QSlider(Qt::Horizontal, this)),
      budgetNumber_(new QDoubleSpinBox(this)),
      budgetLabel_(new QLabel(this)),
      overrides_(new QListWidget(this)),
      leave_(new QToolButton(this)),
      collectives_(new QToolButton(this)),
      trials_(new CollectiveMenu(this)),
      result_(new WhatIfResult(this)),
      overridesTitle_(new QLabel(this)),
      budgetGroup_(new QWidget(this)),
      rulesGroup_(new QWidget(this)),
      buttons_(new QWidget(this)) {
    setObjectName(QStringLiteral("whatIf"));
    fillLists();
    buildBudget();
    layOutBudget();
    buildRules();
    overrides_->setObjectName(QStringLiteral("overrides"));
    overrides_->setAccessibleName(tr("Overrides for single values"));
    overrides_->setMinimumHeight(60);
    overrides_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    collectives_->setObjectName(QStringLiteral("whatIfCollectives"));
    collectives_->setText(tr("Collectives"));
    collectives_->setToolTip(tr("Reshards parameters after the forward, buckets collectives, or moves them"));
    collectives_->setPopupMode(QToolButton::InstantPopup);
    collectives_->setMenu(trials_);
    connect(trials_, &CollectiveMenu::changed, this, &WhatIfPanel::changed);
    leave_->setText(tr("Leave to Partitioner"));
    leave_->setToolTip(tr("Removes the chosen overrides: the partitioner's rules decide on these values again"));
    leave_->setEnabled(false);
    connect(leave_, &QToolButton::clicked, this, &WhatIfPanel::leaveSelected);
    connect(overrides_, &QListWidget::itemSelectionChanged, this,
            [this] { leave_->setEnabled(!overrides_->selectedItems().isEmpty()); });
    connect(overrides_, &QListWidget::itemClicked, this, [this](const QListWidgetItem* item) {
        Q_EMIT nodeSelected(static_cast<NodeId>(item->data(kNodeRole).toInt()));
    });
    overridesTitle_->setWordWrap(true);
    overridesTitle_->setTextFormat(Qt::RichText);
    layOut();
    showOptions({}, nullptr);
}

/// The result has its own place and does not scroll.
void WhatIfPanel::layOut() {
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(8, 6, 8, 6);
    column->addWidget(budgetGroup_);
    column->addWidget(buttons_);
    column->addWidget(rulesGroup_);
    column->addWidget(collectives_);
    column->addWidget(overridesTitle_);
    column->addWidget(overrides_, 1);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(leave_);
    column->addLayout(row);
    auto* scroll = new ScrolledColumn(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);  // its controls have the focus
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->addWidget(result_);
    layout->addWidget(scroll);
}

void WhatIfPanel::fillLists() {
    algorithm_->setObjectName(QStringLiteral("whatIfAlgorithm"));
    for (const auto algorithm :
         {PartitionAlgorithm::minCut, PartitionAlgorithm::defaultPartition, PartitionAlgorithm::planned})
        algorithm_->addItem(toQString(name(algorithm)), static_cast<int>(algorithm));
    algorithm_->setToolTip(
        tr("Splits the joint graph into forward and backward. min-cut recomputes what is cheap; default saves all that "
           "backward reads; plan recomputes as little as a limit of the peak allows"));
    solver_->setObjectName(QStringLiteral("solver"));
    for (const auto& [solver, text] :
         {std::pair{KnapsackSolver::dynamicProgramming, tr("dynamic programming")},
          std::pair{KnapsackSolver::greedy, tr("greedy")}, std::pair{KnapsackSolver::exact, tr("exact")},
          std::pair{KnapsackSolver::slidingHirschberg, tr("dynamic programming (Hirschberg)")}})
        addNamed(solver_, name(solver), static_cast<int>(solver), text);
    solver_->setToolTip(tr("Knapsack solver: chooses the values to save when the budget cannot hold all of them"));
    estimator_->setObjectName(QStringLiteral("estimator"));
    for (const auto& [estimator, text] : {std::pair{RuntimeEstimator::flops, tr("floating-point operations")},
                                          std::pair{RuntimeEstimator::roofline, tr("estimated time")},
                                          std::pair{RuntimeEstimator::testing, tr("one unit per operation")}})
        addNamed(estimator_, name(estimator), static_cast<int>(estimator), text);
    estimator_->setToolTip(tr("Cost model for recomputing an operation"));
    for (QComboBox* box : {algorithm_, solver_, estimator_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
        box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    connect(algorithm_, &QComboBox::currentIndexChanged, this,
            [this] { readAndEmit(labelOf(kAlgorithm).toLower(), false); });
    connect(solver_, &QComboBox::currentIndexChanged, this, [this] { readAndEmit(labelOf(kSolver).toLower(), false); });
    connect(estimator_, &QComboBox::currentIndexChanged, this,
            [this] { readAndEmit(labelOf(kEstimator).toLower(), false); });
}

/// The slider and the number beside it show the same.
void WhatIfPanel::buildBudget() {
    budget_->setObjectName(QStringLiteral("budget"));
    budget_->setRange(0, kSteps);
    budget_->setTickInterval(kSteps / 10);
    budget_->setTickPosition(QSlider::TicksBelow);
    budget_->setPageStep(kSteps / 10);
    budgetNumber_->setObjectName(QStringLiteral("budgetNumber"));
    budgetNumber_->setRange(0, 1);
    budgetNumber_->setSingleStep(0.01);
    budgetNumber_->setDecimals(3);
    budgetNumber_->setKeyboardTracking(false);
    budgetNumber_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    budgetNumber_->setMaximumWidth(64);
    connect(budget_, &QSlider::valueChanged, this, [this](int value) {
        if (showing_) return;
        const QSignalBlocker blocker(budgetNumber_);
        budgetNumber_->setValue(static_cast<double>(value) / kSteps);
        emitBudget();
    });
    connect(budgetNumber_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        if (showing_) return;
        const QSignalBlocker blocker(budget_);
        budget_->setValue(static_cast<int>(std::lround(value * kSteps)));
        emitBudget();
    });
}

void WhatIfPanel::emitBudget() {
    const QString label = labelOf(plansByPeak(options_) ? kPeak : kBudget).toLower();
    readAndEmit(QStringLiteral("%1 %2").arg(label).arg(budgetNumber_->value()), true);
}

/// The slider is the memory budget of min-cut, or the limit of a plan.
void WhatIfPanel::showBudget() {
    const bool byPeak = plansByPeak(options_);
    const double value = byPeak ? shareOf(options_) : options_.memoryBudget;
    if (!budget_->isSliderDown()) budget_->setValue(static_cast<int>(std::lround(value * kSteps)));
    budgetNumber_->setValue(value);
    const QString label = labelOf(byPeak ? kPeak : kBudget);
    const QString help = byPeak
                             ? tr("Limit of the predicted peak, as a share of the peak if everything is kept")
                             : tr("1: fastest, as min-cut decides; 0: save only the inputs and recompute everything");
    budgetLabel_->setText(label);
    for (QWidget* widget : {static_cast<QWidget*>(budget_), static_cast<QWidget*>(budgetNumber_)}) {
        widget->setToolTip(help);
        widget->setAccessibleName(label);
    }
}

void WhatIfPanel::layOutBudget() {
    auto* form = new QFormLayout(budgetGroup_);
    form->setContentsMargins(0, 4, 0, 4);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->addRow(labelOf(kAlgorithm), algorithm_);
    auto* budget = new QHBoxLayout;
    budget->addWidget(budget_, 1);
    budget->addWidget(budgetNumber_);
    budgetLabel_->setBuddy(budget_);
    form->addRow(budgetLabel_, budget);
    form->addRow(labelOf(kSolver), solver_);
    form->addRow(labelOf(kEstimator), estimator_);
}

void WhatIfPanel::buildRules() {
    auto* column = new QVBoxLayout(rulesGroup_);
    column->setContentsMargins(0, 4, 0, 4);
    column->setSpacing(2);
    column->addWidget(heading(tr("Rules"), rulesGroup_));
    const auto add = [&](std::string_view object, std::string_view session, bool MinCutOptions::*member) {
        const QString label = labelOf(session);
        auto* box = new QCheckBox(label, rulesGroup_);
        box->setObjectName(toQString(object));
        box->setToolTip(helpOf(session));
        column->addWidget(box);
        rules_.push_back({box, member});
        connect(box, &QCheckBox::toggled, this, [this, label](bool on) {
            readAndEmit(on ? tr("%1: on").arg(label) : tr("%1: off").arg(label), false);
        });
    };
    for (const BanRule& rule : banRules())
        if (rule.option) add(rule.session.substr(rule.session.rfind('.') + 1), rule.session, rule.option);
    column->addSpacing(4);
    add("recomputeViews", "partition.cut.recomputeViews", &MinCutOptions::recomputeViews);
    add("staticParametersToo", "partition.cut.staticParameters", &MinCutOptions::staticParameters);
}

void WhatIfPanel::addButtons(const std::vector<QAction*>& actions) {
    auto* row = new QGridLayout(buttons_);
    row->setContentsMargins(0, 0, 0, 0);
    int next = 0;
    for (QAction* action : actions) {
        auto* button = new QToolButton(buttons_);
        button->setDefaultAction(action);
        button->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
        row->addWidget(button, next / 2, next % 2);
        ++next;
    }
}

void WhatIfPanel::showOptions(const PartitionOptions& options, const Graph* joint) {
    options_ = options;
    showing_ = true;
    algorithm_->setCurrentIndex(std::max(0, algorithm_->findData(static_cast<int>(options.algorithm))));
    solver_->setCurrentIndex(std::max(0, solver_->findData(static_cast<int>(options.solver))));
    estimator_->setCurrentIndex(std::max(0, estimator_->findData(static_cast<int>(options.estimator))));
    showBudget();
    for (const Rule& rule : rules_) rule.box->setChecked(options.cut.*rule.member);
    fillOverrides(joint);
    trials_->offer(options, joint);
    collectives_->setVisible(trials_->offersSomething());
    showing_ = false;
    for (QWidget* widget : {budgetGroup_, rulesGroup_, static_cast<QWidget*>(overrides_), buttons_})
        widget->setEnabled(joint != nullptr);
    if (!joint) result_->clear();
    enableWhatApplies();
}

void WhatIfPanel::fillOverrides(const Graph* joint) {
    overrides_->clear();
    const auto add = [&](NodeId id, const QString& what) {
        const Node* node = joint ? joint->findById(id) : nullptr;
        if (!node) return;
        auto* item = new QListWidgetItem(
            QStringLiteral("%1  %%2   %3").arg(what, toQString(node->name()), toQString(shortOpName(node->op()))),
            overrides_);
        item->setData(kNodeRole, id);
    };
    for (const NodeId id : options_.cut.mustSave) add(id, tr("save"));
    for (const NodeId id : options_.cut.mustRecompute) add(id, tr("recompute"));
    overridesTitle_->setText(
        overrides_->count() == 0
            ? tr("<b>Overrides</b>: none. Select values in the joint graph, then press Shift+S to save or "
                 "Shift+R to recompute them.")
            : tr("<b>Overrides</b>"));
    leave_->setEnabled(false);
}

void WhatIfPanel::leaveSelected() {
    PartitionOptions next = options_;
    for (const QListWidgetItem* item : overrides_->selectedItems()) {
        const auto id = static_cast<NodeId>(item->data(kNodeRole).toInt());
        next.cut.mustSave.erase(id);
        next.cut.mustRecompute.erase(id);
    }
    Q_EMIT changed(next, tr("leave to the partitioner"), false);
}

void WhatIfPanel::readAndEmit(const QString& what, bool merge) {
    if (showing_) return;
    const PartitionAlgorithm before = options_.algorithm;
    options_.algorithm = static_cast<PartitionAlgorithm>(algorithm_->currentData().toInt());
    options_.solver = static_cast<KnapsackSolver>(solver_->currentData().toInt());
    options_.estimator = static_cast<RuntimeEstimator>(estimator_->currentData().toInt());
    if (options_.algorithm != before) {
        if (options_.algorithm == PartitionAlgorithm::planned && options_.plan.empty() && options_.function.empty())
            options_.peak = shareText(shareOf(options_));
    } else if (plansByPeak(options_)) {
        options_.peak = shareText(std::max(budgetNumber_->value(), 1.0 / kSteps));
    } else {
        options_.memoryBudget = budgetNumber_->value();
    }
    for (const Rule& rule : rules_) options_.cut.*rule.member = rule.box->isChecked();
    enableWhatApplies();
    Q_EMIT changed(options_, what, merge);
}

void WhatIfPanel::enableWhatApplies() {
    const bool minCut = options_.algorithm == PartitionAlgorithm::minCut && overrides_->isEnabled();
    rulesGroup_->setEnabled(minCut);
    for (QWidget* widget : {static_cast<QWidget*>(budget_), static_cast<QWidget*>(budgetNumber_)})
        widget->setEnabled(minCut || (plansByPeak(options_) && overrides_->isEnabled()));
    const bool knapsack = minCut && options_.memoryBudget < 1;
    solver_->setEnabled(knapsack);
    estimator_->setEnabled(knapsack);
}

void WhatIfPanel::showAnswer(const PartitionResult& result, QStringList notes, double ms) {
    if (ms > 0) notes << tr("computed in %1").arg(toQString(formatDuration(ms)));
    result_->show(result, notes);
}

}  // namespace aotscope
