#include "panels/time_panel.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

namespace aotscope {

TimePanel::TimePanel(const QString& name, const QString& title, TablePanel* table, QWidget* parent)
    : QWidget(parent),
      chart_(new TimeChart(this)),
      table_(table),
      note_(new QLabel(this)),
      export_(new QToolButton(this)) {
    setObjectName(name);
    chart_->setObjectName(name + QStringLiteral("Chart"));
    chart_->setAccessibleName(title);
    export_->setText(tr("Export…"));
    export_->setToolTip(tr("Save the chart as SVG or PNG, or all times as a Chrome trace or CSV"));
    note_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    note_->setWordWrap(true);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 4, 6, 0);
    row->addWidget(export_);
    row->addSpacing(8);
    row->addWidget(note_, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(chart_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* splitter = new QSplitter(this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(scroll);
    if (table_) {
        splitter->addWidget(table_);
        splitter->setStretchFactor(0, 3);
        splitter->setStretchFactor(1, 1);
        splitter->setSizes({700, 300});
        connect(table_, &TablePanel::nodeSelected, this,
                [this](NodeId node, GraphKind graph) { Q_EMIT nodesSelected({node}, graph); });
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(row);
    layout->addWidget(splitter, 1);
    connect(export_, &QToolButton::clicked, this, &TimePanel::exportRequested);
    connect(chart_, &TimeChart::barChosen, this, [this](int bar) {
        const TimeBar& chosen = chart_->picture().bars[static_cast<std::size_t>(bar)];
        if (chosen.kind != TimeBar::Kind::graph && chosen.kind != TimeBar::Kind::overhead)
            Q_EMIT nodesSelected(chosen.nodes, chosen.graph);
    });
    showPicture({}, {});
}

void TimePanel::showPicture(TimePicture picture, const QString& note) {
    export_->setEnabled(!picture.bars.empty());
    note_->setText(note);
    chart_->setVisible(!picture.bars.empty());
    chart_->setPicture(std::move(picture));
}

}  // namespace aotscope
