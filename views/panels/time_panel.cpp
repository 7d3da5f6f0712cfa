#include "panels/time_panel.h"

#include "models/words/to_qstring.h"
#include "support/formatted.h"
#include "support/names.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <set>

namespace aotscope {

namespace {

constexpr int kChartsWidth = 650, kTablesWidth = 350;

/// A heading above a chart.
QLabel* headingOf(const QString& text, QWidget* parent) {
    auto* heading = new QLabel(text, parent);
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    heading->setContentsMargins(6, 4, 6, 0);
    heading->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    return heading;
}

/// What the roofline leaves out, and why.
QString noteOn(const RooflinePicture& roofline) {
    QStringList notes;
    if (roofline.limits.memory <= 0) notes << QObject::tr("The limits of this machine are not known.");
    if (roofline.limits.without > 0)
        notes << QObject::tr("Without %1 that compute nothing, or are part of a kernel.")
                     .arg(toQString(counted(roofline.limits.without, "step")));
    return notes.join(u' ');
}

}  // namespace

TimePanel::TimePanel(QWidget* parent)
    : QWidget(parent),
      note_(new QLabel(this)),
      range_(new QLabel(this)),
      export_(new QToolButton(this)),
      splitter_(new QSplitter(this)),
      charts_(new QScrollArea(this)),
      flame_(new TimeChart(this)),
      timeline_(new TimeChart(this)),
      tables_(new QTabWidget(this)),
      steps_(new TablePanel(this)),
      modules_(new TablePanel(this)),
      roofline_(new RooflineChart(this)),
      rooflineNote_(new QLabel(this)) {
    splitter_->setObjectName(QStringLiteral("timeSplitter"));
    splitter_->setChildrenCollapsible(false);
    addCharts();
    addTables();
    splitter_->setStretchFactor(0, 1);
    splitter_->setSizes({kChartsWidth, kTablesWidth});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(makeTop());
    layout->addWidget(splitter_, 1);
    layout->addWidget(range_);
    range_->setObjectName(QStringLiteral("timeRange"));
    range_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    range_->setContentsMargins(6, 0, 6, 4);
    setContent({});
}

QLayout* TimePanel::makeTop() {
    note_->setObjectName(QStringLiteral("timeNote"));
    note_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    note_->setWordWrap(true);
    export_->setText(tr("Export…"));
    export_->setToolTip(tr("Save both charts as SVG or PNG, or all times as a Chrome trace or CSV"));
    connect(export_, &QToolButton::clicked, this, &TimePanel::exportRequested);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 4, 6, 0);
    row->addWidget(note_, 1);
    row->addWidget(export_, 0, Qt::AlignTop);
    return row;
}

/// In one scroll area, so that both have the same left edge and the same width.
void TimePanel::addCharts() {
    flame_->setObjectName(QStringLiteral("flameChart"));
    flame_->setAccessibleName(tr("Flame chart: time by module"));
    timeline_->setObjectName(QStringLiteral("timelineChart"));
    timeline_->setAccessibleName(tr("Timeline: operations and live memory in execution order"));
    TimeChart::link(flame_, timeline_);
    auto* both = new QWidget(charts_);
    auto* layout = new QVBoxLayout(both);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(headingOf(tr("Time by module"), both));
    layout->addWidget(flame_);
    layout->addWidget(headingOf(tr("Execution order"), both));
    layout->addWidget(timeline_, 1);
    charts_->setWidget(both);
    charts_->setWidgetResizable(true);
    charts_->setFrameShape(QFrame::NoFrame);
    splitter_->addWidget(charts_);
    for (TimeChart* chart : {flame_, timeline_}) {
        chart->allowRanges();
        connect(chart, &TimeChart::barChosen, this, [this, chart](int bar) { choose(chart, bar); });
        connect(chart, &TimeChart::rangeChanged, this, [this, chart] { showRange(chart); });
    }
}

void TimePanel::addTables() {
    steps_->setObjectName(QStringLiteral("timingTable"));
    steps_->view()->setAccessibleName(tr("Time of each step"));
    modules_->setObjectName(QStringLiteral("moduleTable"));
    modules_->view()->setAccessibleName(tr("Time by module"));
    tables_->setObjectName(QStringLiteral("timeTables"));
    tables_->setDocumentMode(true);
    tables_->addTab(steps_, tr("Steps"));
    tables_->addTab(modules_, tr("Modules"));
    tables_->setTabToolTip(0, tr("A row for each operation or kernel of the compiled graphs"));
    tables_->setTabToolTip(1, tr("A row for each module of the model, with everything in it"));
    tables_->addTab(makeRoofline(), tr("Roofline"));
    tables_->setTabToolTip(2, tr("What each operation reaches of what the machine can do"));
    splitter_->addWidget(tables_);
    connect(modules_, &TablePanel::nodeSelected, this,
            [this](NodeId node, GraphKind graph) { Q_EMIT nodesSelected({node}, graph); });
}

QWidget* TimePanel::makeRoofline() {
    auto* page = new QWidget(tables_);
    page->setMinimumSize(1, 1);  // on small screens, it is cut off like the tables beside it
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(2);
    rooflineNote_->setObjectName(QStringLiteral("rooflineNote"));
    rooflineNote_->setWordWrap(true);
    rooflineNote_->setContentsMargins(6, 0, 6, 0);
    rooflineNote_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    layout->addWidget(rooflineNote_);
    layout->addWidget(roofline_, 1);
    connect(roofline_, &RooflineChart::pointChosen, this, [this](int point) {
        const RooflinePicture::Point& chosen = roofline_->picture().points[static_cast<std::size_t>(point)];
        Q_EMIT nodesSelected({chosen.node}, chosen.graph);
    });
    return page;
}

void TimePanel::choose(const TimeChart* chart, int bar) {
    const TimeBar& chosen = chart->picture().bars[static_cast<std::size_t>(bar)];
    if (chosen.kind != TimeBar::Kind::graph && chosen.kind != TimeBar::Kind::overhead)
        Q_EMIT nodesSelected(chosen.nodes, chosen.graph);
}

/// Both charts have the same operations, in another order: a range is one of them. The timeline has the memory of its
/// operations, in their order.
void TimePanel::showRange(TimeChart* chart) {
    (chart == flame_ ? timeline_ : flame_)->clearRange();
    const std::vector<int> marked = chart->barsInRange();
    range_->setVisible(chart->range().has_value());
    range_->clear();
    if (!chart->range()) return;
    double us = 0;
    std::vector<NodeId> nodes;
    std::set<NodeId> known;  // a recomputed operation is in both graphs
    std::set<std::pair<GraphKind, NodeId>> operations;
    std::set<GraphKind> graphs;
    for (const int bar : marked) {
        const TimeBar& operation = chart->picture().bars[static_cast<std::size_t>(bar)];
        us += operation.length;
        graphs.insert(operation.graph);
        for (const NodeId node : operation.nodes) {
            operations.emplace(operation.graph, node);
            if (known.insert(node).second) nodes.push_back(node);
        }
    }
    double peak = 0;
    auto memory = timeline_->picture().memory.begin();
    for (const TimeBar& bar : timeline_->picture().bars) {
        if (bar.kind != TimeBar::Kind::operation || memory == timeline_->picture().memory.end()) continue;
        if (operations.contains({bar.graph, bar.nodes.front()})) peak = std::max(peak, memory->measured);
        ++memory;
    }
    range_->setText(tr("%1 marked: %2, peak memory %3")
                        .arg(toQString(counted(marked.size(), "operation")), toQString(formatDuration(us / 1000)),
                             toQString(formatBytes(static_cast<std::int64_t>(peak)))));
    if (!nodes.empty()) Q_EMIT nodesSelected(nodes, graphs.size() == 1 ? *graphs.begin() : GraphKind::joint);
}

void TimePanel::setContent(Content content) {
    const bool any = !content.flame.bars.empty();
    note_->setText(content.note);
    note_->setToolTip(content.details);
    export_->setEnabled(any);
    splitter_->setVisible(any);
    flame_->setPicture(std::move(content.flame));
    timeline_->setPicture(std::move(content.timeline));
    range_->clear();
    range_->hide();
    steps_->setContent(std::move(content.steps));
    modules_->setContent(std::move(content.modules));
    rooflineNote_->setText(noteOn(content.roofline));
    roofline_->setPicture(std::move(content.roofline));
}

void TimePanel::bringIntoView(Part part) {
    if (part == Part::roofline) {
        tables_->setCurrentIndex(2);
        return roofline_->setFocus(Qt::OtherFocusReason);
    }
    if (part == Part::steps || part == Part::modules)
        return tables_->setCurrentWidget(part == Part::steps ? steps_ : modules_);
    TimeChart* shown = part == Part::flame ? flame_ : timeline_;
    charts_->widget()->layout()->activate();
    // Its lower end first, so that of a chart that is higher than the page the upper part is visible.
    charts_->ensureVisible(0, shown->geometry().bottom(), 0, 0);
    charts_->ensureVisible(0, shown->geometry().top(), 0, fontMetrics().height() * 2);
    shown->setFocus(Qt::OtherFocusReason);
}

}  // namespace aotscope
