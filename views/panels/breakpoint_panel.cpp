#include "panels/breakpoint_panel.h"

#include "models/tables/table_text.h"
#include "models/words/to_qstring.h"
#include "panels/tables/quiet_focus.h"
#include "panels/tables/whole_rows.h"
#include "passes/pass_names.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>
#include <algorithm>

namespace aotscope {

namespace {

using When = Breakpoint::When;

/// In the order of the entries of the first box; breakpoints of the debugger come last.
constexpr std::array kPipelineWhen = {When::passStarts, When::nodeAppears, When::nodeChanges, When::nodeDies};

}  // namespace

BreakpointPanel::BreakpointPanel(QWidget* parent)
    : QWidget(parent),
      when_(new QComboBox(this)),
      pass_(new QComboBox(this)),
      query_(new QueryEdit(this)),
      condition_(new QueryEdit(this, queryWordsWithValues())),
      hits_(new QSpinBox(this)),
      what_(new QStackedWidget(this)),
      state_(new QLabel(this)),
      view_(new QuietFocus<QTableView>(this)),
      continue_(new QPushButton(tr("Continue"), this)),
      step_(new QPushButton(tr("Step"), this)) {
    setObjectName(QStringLiteral("breakpoints"));
    state_->setWordWrap(true);
    state_->setObjectName(QStringLiteral("pipelineState"));
    makeTable();
    makeTableActions();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addLayout(makeLine());
    layout->addWidget(view_, 1);
    layout->addLayout(makeButtons());
    connect(&model_, &BreakpointModel::changed, this, &BreakpointPanel::changed);
    for (QueryEdit* edit : {query_, condition_}) connect(edit, &QueryEdit::nextRequested, this, &BreakpointPanel::add);
    setStopped({});
}

void BreakpointPanel::makeTable() {
    view_->setObjectName(QStringLiteral("breakpointTable"));
    view_->setAccessibleName(tr("Breakpoints"));
    view_->setModel(&model_);
    showWholeRows(*view_);
    view_->setAlternatingRowColors(true);
    view_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    view_->horizontalHeader()->setSectionResizeMode(BreakpointModel::Condition, QHeaderView::Stretch);
}

void BreakpointPanel::makeTableActions() {
    const auto addAction = [this](const QString& text, const QKeySequence& key, const std::function<void()>& act) {
        auto* action = new QAction(text, view_);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, act);
        view_->addAction(action);
    };
    addAction(tr("&Enable or Disable"), Qt::Key_Space, [this] { toggleSelected(); });
    addAction(tr("&Remove"), QKeySequence::Delete, [this] { removeSelected(); });
    addAction(tr("&Copy Rows"), QKeySequence::Copy,
              [this] { QGuiApplication::clipboard()->setText(tableText(model_, selectedRows(), TableFormat::text)); });
    view_->setContextMenuPolicy(Qt::ActionsContextMenu);
}

QWidget* BreakpointPanel::makeConditionLine() {
    condition_->setObjectName(QStringLiteral("valueCondition"));
    condition_->setAccessibleName(tr("Condition"));
    condition_->setPlaceholderText(tr("has_nan   absmax>1e4   op:mm and max>10"));
    condition_->setToolTip(
        tr("Pauses before the nodes that a query matches, or after a node whose value has has_nan, has_inf, absmax>, "
           "min<, max>, mean> or std>"));
    hits_->setObjectName(QStringLiteral("valueHits"));
    hits_->setRange(1, 1'000'000);
    hits_->setPrefix(tr("from hit "));
    hits_->setToolTip(tr("Pause only from the nth time on that the condition holds"));
    hits_->setAccessibleName(tr("Hits"));
    auto* both = new QWidget(what_);
    auto* layout = new QHBoxLayout(both);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(condition_, 1);
    layout->addWidget(hits_);
    return both;
}

QLayout* BreakpointPanel::makeLine() {
    for (const When when : kPipelineWhen) when_->addItem(toQString(describe(when)));
    when_->addItem(tr("a step of a run matches"));
    when_->setItemData(conditionEntry(), tr("A breakpoint of the debugger; the others pause the pipeline"),
                       Qt::ToolTipRole);
    setPasses(nullptr);
    for (QComboBox* box : {when_, pass_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
    }
    when_->setAccessibleName(tr("Pause when"));
    pass_->setAccessibleName(tr("Pass"));
    query_->setAccessibleName(tr("Node"));
    query_->setPlaceholderText(tr("op:relu   name:mm_3   saved"));
    what_->addWidget(pass_);
    what_->addWidget(query_);
    what_->addWidget(makeConditionLine());
    what_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(when_, &QComboBox::currentIndexChanged, what_, [this](int when) {
        what_->setCurrentIndex(when == 0 ? 0 : when == conditionEntry() ? 2 : 1);
    });
    auto* addButton = new QPushButton(tr("Add"), this);
    auto* remove = new QPushButton(tr("Remove"), this);
    remove->setToolTip(tr("Removes the selected breakpoints (Del)"));
    connect(addButton, &QPushButton::clicked, this, &BreakpointPanel::add);
    connect(remove, &QPushButton::clicked, this, &BreakpointPanel::removeSelected);
    auto* line = new QHBoxLayout;
    line->addWidget(new QLabel(tr("Pause when"), this));
    line->addWidget(when_, 1);
    line->addWidget(what_, 2);
    line->addWidget(addButton);
    line->addWidget(remove);
    return line;
}

QLayout* BreakpointPanel::makeButtons() {
    auto* line = new QHBoxLayout;
    line->addWidget(state_, 1);
    line->addWidget(continue_);
    line->addWidget(step_);
    continue_->setToolTip(tr("Run the pipeline to the next breakpoint (F8)"));
    step_->setToolTip(tr("Run the next pass (F10)"));
    connect(continue_, &QPushButton::clicked, this, &BreakpointPanel::continueRequested);
    connect(step_, &QPushButton::clicked, this, &BreakpointPanel::stepRequested);
    return line;
}

void BreakpointPanel::add() {
    const int entry = when_->currentIndex();
    try {
        if (entry == conditionEntry()) {
            addOfDebugger({condition_->text().trimmed().toStdString(), hits_->value(), true});
            condition_->clear();
            hits_->setValue(1);
            return showState();
        }
        const When when = kPipelineWhen.at(static_cast<std::size_t>(entry));
        const QString what = when == When::passStarts ? pass_->currentText() : query_->text().trimmed();
        addOfPipeline({when, what.toStdString(), true});
        query_->clear();
        showState();
    } catch (const Error& e) {
        state_->setText(toQString(e.what()));
    }
}

void BreakpointPanel::setPasses(const CompileRecord* record) {
    std::vector<std::string> passes = passesToPauseAt(record);
    const std::size_t own = passNames().size();
    const auto isKnown = [&](const std::string& name) { return std::ranges::count(passes_, name) > 0; };
    if (!passes_.empty() && passes.size() > own && std::ranges::all_of(passes, isKnown)) return;
    if (passes == passes_) return;
    passes_ = std::move(passes);
    pass_->clear();
    for (const std::string& name : passes_) pass_->addItem(toQString(name));
}

void BreakpointPanel::addOfPipeline(const Breakpoint& breakpoint) {
    requireValid(breakpoint, passes_);
    std::vector<Breakpoint> all = breakpoints();
    if (std::ranges::count(all, breakpoint) > 0) return;
    all.push_back(breakpoint);
    model_.setOfPipeline(std::move(all));
    Q_EMIT changed();
}

void BreakpointPanel::addOfDebugger(const DebugBreakpoint& breakpoint) {
    (void)Query::parseWithValues(breakpoint.condition);
    std::vector<DebugBreakpoint> all = conditions();
    if (std::ranges::count(all, breakpoint) > 0) return;
    all.push_back(breakpoint);
    model_.setOfDebugger(std::move(all));
    Q_EMIT changed();
}

void BreakpointPanel::toggleCondition(const QString& condition) {
    std::vector<DebugBreakpoint> all = conditions();
    if (std::erase_if(all, [&](const auto& b) { return b.condition == condition.toStdString(); }) > 0) {
        model_.setOfDebugger(std::move(all));
        Q_EMIT changed();
        return;
    }
    try {
        addOfDebugger({condition.toStdString(), 1, true});
    } catch (const Error& e) {
        state_->setText(toQString(e.what()));
    }
}

void BreakpointPanel::startCondition() {
    when_->setCurrentIndex(conditionEntry());
    condition_->setFocus(Qt::ShortcutFocusReason);
}

QList<int> BreakpointPanel::selectedRows() const {
    QList<int> rows;
    for (const QModelIndex& index : view_->selectionModel()->selectedRows()) rows << index.row();
    std::ranges::sort(rows);
    return rows;
}

void BreakpointPanel::removeSelected() {
    const QList<int> rows = selectedRows();
    for (auto row = rows.crbegin(); row != rows.crend(); ++row) model_.remove(*row);
}

void BreakpointPanel::toggleSelected() {
    const QList<int> rows = selectedRows();
    const auto box = [this](int row) { return model_.index(row, BreakpointModel::Kind); };
    const bool allOn =
        std::ranges::all_of(rows, [&](int row) { return box(row).data(Qt::CheckStateRole).toInt() == Qt::Checked; });
    for (const int row : rows) model_.setData(box(row), allOn ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

void BreakpointPanel::setBreakpoints(std::vector<Breakpoint> breakpoints) {
    model_.setOfPipeline(std::move(breakpoints));
}

void BreakpointPanel::setStopped(const QString& reason) {
    stopped_ = reason;
    showState();
}

void BreakpointPanel::showState() {
    for (QPushButton* button : {continue_, step_}) button->setEnabled(!stopped_.isEmpty());
    state_->setText(
        !stopped_.isEmpty() ? tr("Paused: %1").arg(stopped_)
        : breakpoints().empty()
            ? tr("The pipeline is not paused. Its breakpoints take effect at the next compilation, those of "
                 "the debugger at its next command.")
            : tr("The pipeline is not paused. Compile again (F5) to pause at its breakpoints."));
}

}  // namespace aotscope
