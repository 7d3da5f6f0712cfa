#include "panels/value_breakpoint_panel.h"

#include "canvas/drawn_graph.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace aotscope {

ValueBreakpointPanel::ValueBreakpointPanel(QWidget* parent)
    : QWidget(parent),
      condition_(new QueryEdit(this, queryWordsWithValues())),
      hits_(new QSpinBox(this)),
      said_(new QLabel(this)),
      list_(new QListWidget(this)) {
    setObjectName(QStringLiteral("valueBreakpoints"));
    condition_->setObjectName(QStringLiteral("valueCondition"));
    condition_->setAccessibleName(tr("Condition"));
    condition_->setPlaceholderText(tr("has_nan   absmax>1e4   op:mm and max>10"));
    condition_->setToolTip(tr(
        "Stops before the nodes that a query matches, or after a node whose value has has_nan, has_inf, absmax>, min<, "
        "max>, mean> or std>"));
    hits_->setObjectName(QStringLiteral("valueHits"));
    hits_->setRange(1, 1'000'000);
    hits_->setPrefix(tr("from hit "));
    hits_->setToolTip(tr("Stop only from the nth hit on"));
    hits_->setAccessibleName(tr("Hits"));
    list_->setAccessibleName(tr("Debugger breakpoints"));
    said_->setWordWrap(true);
    said_->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addLayout(makeLine());
    layout->addWidget(said_);
    layout->addWidget(list_, 1);
    connect(condition_, &QueryEdit::nextRequested, this, &ValueBreakpointPanel::add);
    connect(list_, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        if (filling_) return;
        breakpoints_[static_cast<std::size_t>(list_->row(item))].enabled = item->checkState() == Qt::Checked;
        Q_EMIT changed();
    });
}

QLayout* ValueBreakpointPanel::makeLine() {
    auto* line = new QHBoxLayout;
    auto* addButton = new QPushButton(tr("Add"), this);
    auto* remove = new QPushButton(tr("Remove"), this);
    line->addWidget(new QLabel(tr("Stop when"), this));
    line->addWidget(condition_, 1);
    line->addWidget(hits_);
    line->addWidget(addButton);
    line->addWidget(remove);
    connect(addButton, &QPushButton::clicked, this, &ValueBreakpointPanel::add);
    connect(remove, &QPushButton::clicked, this, &ValueBreakpointPanel::removeMarked);
    return line;
}

void ValueBreakpointPanel::add() {
    const DebugBreakpoint breakpoint{condition_->text().trimmed().toStdString(), hits_->value(), true};
    try {
        (void)Query::parseWithValues(breakpoint.condition);
    } catch (const QueryError& e) {
        said_->setText(toQString(e.what()));
        return said_->show();
    }
    said_->clear();
    said_->hide();
    if (std::ranges::count(breakpoints_, breakpoint) > 0) return;
    breakpoints_.push_back(breakpoint);
    condition_->clear();
    hits_->setValue(1);
    refill();
    Q_EMIT changed();
}

void ValueBreakpointPanel::toggle(const QString& condition) {
    const std::string text = condition.toStdString();
    if (std::erase_if(breakpoints_, [&](const DebugBreakpoint& b) { return b.condition == text; }) == 0)
        breakpoints_.push_back({text, 1, true});
    refill();
    Q_EMIT changed();
}

void ValueBreakpointPanel::removeMarked() {
    const int row = list_->currentRow();
    if (row < 0) return;
    breakpoints_.erase(breakpoints_.begin() + row);
    refill();
    Q_EMIT changed();
}

void ValueBreakpointPanel::setBreakpoints(std::vector<DebugBreakpoint> breakpoints) {
    breakpoints_ = std::move(breakpoints);
    refill();
    Q_EMIT changed();
}

void ValueBreakpointPanel::refill() {
    filling_ = true;
    list_->clear();
    for (const DebugBreakpoint& breakpoint : breakpoints_) {
        const QString condition = toQString(breakpoint.condition);
        auto* item = new QListWidgetItem(
            breakpoint.hits == 1 ? condition : tr("%1, from hit %2").arg(condition).arg(breakpoint.hits), list_);
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        item->setCheckState(breakpoint.enabled ? Qt::Checked : Qt::Unchecked);
    }
    filling_ = false;
}

}  // namespace aotscope
