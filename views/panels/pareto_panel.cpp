#include "panels/pareto_panel.h"

#include "panels/action_button.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace aotscope {

ParetoPanel::ParetoPanel(QWidget* parent)
    : QWidget(parent),
      chart_(new ParetoChart(this)),
      row_(new QHBoxLayout),
      memory_(new QComboBox(this)),
      sweep_(new QToolButton(this)),
      measure_(new QToolButton(this)),
      export_(new QToolButton(this)),
      note_(new QLabel(this)) {
    memory_->setObjectName(QStringLiteral("paretoMemory"));
    memory_->addItem(tr("saved for backward"), static_cast<int>(Memory::saved));
    memory_->addItem(tr("peak"), static_cast<int>(Memory::peak));
    sweep_->setObjectName(QStringLiteral("sweep"));
    sweep_->setText(tr("Try 20 Budgets"));
    sweep_->setToolTip(tr("Partition at 20 memory budgets from 0 to 1 and estimate time and memory of each"));
    measure_->setObjectName(QStringLiteral("measurePareto"));
    measure_->setText(tr("Measure Points"));
    measure_->setToolTip(tr("Compile and time every distinct partition (Ctrl+. cancels)"));
    export_->setObjectName(QStringLiteral("exportPareto"));
    export_->setText(tr("Export…"));
    export_->setToolTip(tr("Save the chart as SVG or PNG"));
    note_->setWordWrap(true);
    row_->setContentsMargins(6, 4, 6, 0);
    for (QToolButton* button : {sweep_, measure_, export_}) row_->addWidget(button);
    row_->addStretch(1);
    auto* second = new QHBoxLayout;
    second->setContentsMargins(6, 0, 6, 0);
    second->addWidget(new QLabel(tr("Memory"), this));
    second->addWidget(memory_);
    second->addSpacing(8);
    second->addWidget(note_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(row_);
    layout->addLayout(second);
    layout->addWidget(chart_, 1);
    connect(sweep_, &QToolButton::clicked, this, &ParetoPanel::sweepRequested);
    connect(measure_, &QToolButton::clicked, this, &ParetoPanel::measureRequested);
    connect(export_, &QToolButton::clicked, this, &ParetoPanel::exportRequested);
    connect(memory_, &QComboBox::currentIndexChanged, this, &ParetoPanel::memoryChanged);
    setEnabledFor(false, false);
}

void ParetoPanel::addButton(QAction* action) { addActionButton(row_, export_, action); }

void ParetoPanel::showMarks(std::vector<ParetoMark> marks, const QString& timeUnit) {
    const QString memory = this->memory() == Memory::saved ? tr("Saved for backward (MB)")
                                                           : tr("Peak memory, excluding parameters and inputs (MB)");
    chart_->setMarks(std::move(marks), {memory, timeUnit});
    export_->setEnabled(!chart_->marks().empty());
}

void ParetoPanel::setEnabledFor(bool can, bool canMeasure) {
    sweep_->setEnabled(can);
    measure_->setEnabled(canMeasure);
    export_->setEnabled(!chart_->marks().empty());
}

}  // namespace aotscope
