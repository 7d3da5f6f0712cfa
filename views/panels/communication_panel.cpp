#include "panels/communication_panel.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace aotscope {

CommunicationPanel::CommunicationPanel(QWidget* parent)
    : QWidget(parent),
      figures_(new QLabel(this)),
      try_(new QToolButton(this)),
      menu_(new CollectiveMenu(this)),
      lanes_(new TimeChart(this)),
      chart_(makeLanes()),
      tables_(new TablePair({QStringLiteral("communicationTable"), tr("Collectives")},
                            {QStringLiteral("communicationTotals"), tr("Collectives by parameter and module")}, 58,
                            this)) {
    figures_->setObjectName(QStringLiteral("communicationFigures"));
    figures_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    figures_->setWordWrap(true);
    try_->setObjectName(QStringLiteral("tryCollectives"));
    try_->setText(tr("Try"));
    try_->setToolTip(tr("Shows the partition with collectives moved, bucketed or repeated, beside the compiled one"));
    try_->setPopupMode(QToolButton::InstantPopup);
    try_->setMenu(menu_);
    connect(menu_, &CollectiveMenu::changed, this, &CommunicationPanel::changed);
    connect(lanes_, &TimeChart::barChosen, this, [this](int bar) {
        const TimeBar& chosen = lanes_->picture().bars[static_cast<std::size_t>(bar)];
        if (!chosen.nodes.empty()) Q_EMIT nodeSelected(chosen.nodes.front(), chosen.graph);
    });
    connect(totals(), &TablePanel::nodeSelected, this, &CommunicationPanel::nodeSelected);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(6, 4, 6, 0);
    top->addWidget(figures_, 1);
    top->addWidget(try_, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(top);
    layout->addWidget(chart_);
    layout->addWidget(tables_, 1);
    setContent({});
    setOptions({}, nullptr);
}

/// The names of the lanes are left of the chart, each as high as its lane.
QWidget* CommunicationPanel::makeLanes() {
    auto* chart = new QWidget(this);
    lanes_->setObjectName(QStringLiteral("communicationLanes"));
    lanes_->setAccessibleName(tr("Timeline of computation and communication, estimated"));
    auto* names = new QVBoxLayout;
    names->setContentsMargins(6, static_cast<int>(TimeFrame::kAxis), 4, 0);
    names->setSpacing(0);
    for (const QString& lane : communicationLanes()) {
        auto* label = new QLabel(lane, chart);
        label->setFixedHeight(static_cast<int>(TimeFrame::kRow));
        names->addWidget(label);
        laneNames_.push_back(label);
    }
    names->addStretch(1);
    auto* row = new QHBoxLayout(chart);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addLayout(names);
    row->addWidget(lanes_, 1);
    chart->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    return chart;
}

void CommunicationPanel::showLanes(CommunicationContent& content, const QString& figures) {
    const bool any = !content.lanes.bars.empty();
    const int rows = content.lanes.rows();
    for (std::size_t i = 0; i < laneNames_.size(); ++i) laneNames_[i]->setVisible(static_cast<int>(i) < rows);
    lanes_->setPicture(std::move(content.lanes));
    chart_->setVisible(any);
    totals()->setVisible(any);
    figures_->setText(figures);
    figures_->setVisible(any);
}

void CommunicationPanel::setContent(CommunicationContent content) {
    showLanes(content, content.figures);
    collectives()->setContent(std::move(content.collectives));
    totals()->setContent(std::move(content.totals));
}

void CommunicationPanel::updateContent(CommunicationContent content, const QString& compiled) {
    showLanes(content, compiled == content.figures ? content.figures
                                                   : tr("What if: %1. Compiled: %2").arg(content.figures, compiled));
    collectives()->updateContent(std::move(content.collectives));
    totals()->updateContent(std::move(content.totals));
}

void CommunicationPanel::setOptions(const PartitionOptions& options, const Graph* joint) {
    menu_->offer(options, joint);
    try_->setVisible(menu_->offersSomething());
}

}  // namespace aotscope
