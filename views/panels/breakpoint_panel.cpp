#include "panels/breakpoint_panel.h"

#include "canvas/drawn_graph.h"
#include "passes/pass_names.h"
#include "support/error.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

namespace aotscope {

namespace {

using When = Breakpoint::When;

QString textOf(const Breakpoint& breakpoint) {
    const QString what = toQString(breakpoint.what);
    return breakpoint.when == When::passStarts
               ? QObject::tr("before pass %1").arg(what)
               : QObject::tr("when %1: %2").arg(toQString(describe(breakpoint.when)), what);
}

}  // namespace

BreakpointPanel::BreakpointPanel(QWidget* parent)
    : QWidget(parent),
      when_(new QComboBox(this)),
      pass_(new QComboBox(this)),
      query_(new QueryEdit(this)),
      what_(new QStackedWidget(this)),
      state_(new QLabel(this)),
      list_(new QListWidget(this)),
      continue_(new QPushButton(tr("Continue"), this)),
      step_(new QPushButton(tr("Step"), this)) {
    setObjectName(QStringLiteral("breakpoints"));
    for (const When when : {When::passStarts, When::nodeAppears, When::nodeChanges, When::nodeDies})
        when_->addItem(toQString(describe(when)));
    for (const std::string& name : passNames()) pass_->addItem(toQString(name));
    for (QComboBox* box : {when_, pass_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
    }
    when_->setAccessibleName(tr("Stop when"));
    pass_->setAccessibleName(tr("Pass"));
    query_->setAccessibleName(tr("Node"));
    query_->setPlaceholderText(tr("op:relu   name:mm_3   saved"));
    list_->setAccessibleName(tr("Breakpoints"));
    state_->setWordWrap(true);
    state_->setObjectName(QStringLiteral("pipelineState"));
    what_->addWidget(pass_);
    what_->addWidget(query_);
    what_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addLayout(makeLine());
    layout->addWidget(list_, 1);
    layout->addLayout(makeButtons());
    connect(when_, &QComboBox::currentIndexChanged, what_,
            [this](int when) { what_->setCurrentIndex(when == 0 ? 0 : 1); });
    connect(query_, &QueryEdit::nextRequested, this, &BreakpointPanel::add);
    connect(list_, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        if (filling_) return;
        breakpoints_[static_cast<std::size_t>(list_->row(item))].enabled = item->checkState() == Qt::Checked;
        Q_EMIT changed();
    });
    setStopped({});
}

QLayout* BreakpointPanel::makeLine() {
    auto* line = new QHBoxLayout;
    auto* addButton = new QPushButton(tr("Add"), this);
    auto* remove = new QPushButton(tr("Remove"), this);
    line->addWidget(new QLabel(tr("Stop when"), this));
    line->addWidget(when_, 1);
    line->addWidget(what_, 1);
    line->addWidget(addButton);
    line->addWidget(remove);
    connect(addButton, &QPushButton::clicked, this, &BreakpointPanel::add);
    connect(remove, &QPushButton::clicked, this, &BreakpointPanel::removeMarked);
    return line;
}

QLayout* BreakpointPanel::makeButtons() {
    auto* line = new QHBoxLayout;
    line->addWidget(state_, 1);
    line->addWidget(continue_);
    line->addWidget(step_);
    continue_->setToolTip(tr("Run to the next breakpoint (F8)"));
    step_->setToolTip(tr("Run the next pass (F10)"));
    connect(continue_, &QPushButton::clicked, this, &BreakpointPanel::continueRequested);
    connect(step_, &QPushButton::clicked, this, &BreakpointPanel::stepRequested);
    return line;
}

void BreakpointPanel::add() {
    const auto when = static_cast<When>(when_->currentIndex());
    const QString what = when == When::passStarts ? pass_->currentText() : query_->text().trimmed();
    const Breakpoint breakpoint{when, what.toStdString(), true};
    try {
        requireValid(breakpoint);
    } catch (const Error& e) {
        return state_->setText(toQString(e.what()));
    }
    if (std::ranges::count(breakpoints_, breakpoint) > 0) return;
    breakpoints_.push_back(breakpoint);
    query_->clear();
    refill();
    setStopped({});
    Q_EMIT changed();
}

void BreakpointPanel::removeMarked() {
    const int row = list_->currentRow();
    if (row < 0) return;
    breakpoints_.erase(breakpoints_.begin() + row);
    refill();
    Q_EMIT changed();
}

void BreakpointPanel::setBreakpoints(std::vector<Breakpoint> breakpoints) {
    breakpoints_ = std::move(breakpoints);
    refill();
}

void BreakpointPanel::refill() {
    filling_ = true;
    list_->clear();
    for (const Breakpoint& breakpoint : breakpoints_) {
        auto* item = new QListWidgetItem(textOf(breakpoint), list_);
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        item->setCheckState(breakpoint.enabled ? Qt::Checked : Qt::Unchecked);
    }
    filling_ = false;
}

void BreakpointPanel::setStopped(const QString& reason) {
    continue_->setEnabled(!reason.isEmpty());
    step_->setEnabled(!reason.isEmpty());
    state_->setText(!reason.isEmpty()      ? tr("Stopped: %1").arg(reason)
                    : breakpoints_.empty() ? tr("Not paused. Breakpoints take effect at the next compilation.")
                                           : tr("Not paused. Compile again (F5) to stop at the breakpoints."));
}

}  // namespace aotscope
