#include "panels/memory_panel.h"

#include "canvas/drawn_graph.h"
#include "models/tables/variant_tables.h"
#include "panels/action_button.h"
#include "support/formatted.h"
#include "support/names.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

namespace aotscope {

namespace {

constexpr double kBytesOfMegabyte = 1e6;

/// For the operations, in order; nothing was measured between forward and backward.
void addMeasured(const LiveMemory& memory, const std::vector<std::int64_t>& liveBytes, MemoryCurve& curve) {
    std::size_t step = 0;
    for (std::size_t i = 0; i < memory.curve.size() && step < liveBytes.size(); ++i)
        if (memory.curve[i].node != kNoNode)
            curve.steps[i].measured = static_cast<double>(liveBytes[step++]) / kBytesOfMegabyte;
}

QString noteOf(const LiveMemory& memory, const std::optional<MeasuredFigures>& measured) {
    QString predicted = QObject::tr("predicted peak %1").arg(toQString(formatBytes(memory.peakBytes)));
    if (!measured || memory.peakBytes <= 0) return predicted;
    const double ratio = static_cast<double>(measured->peakBytes) / static_cast<double>(memory.peakBytes);
    return predicted + QObject::tr(", measured %1 (%2 × predicted)")
                           .arg(toQString(formatBytes(measured->peakBytes)))
                           .arg(ratio, 0, 'f', 2);
}

MemoryCurve curveOf(const LiveMemory& memory, const std::optional<MeasuredFigures>& measured) {
    MemoryCurve curve;
    curve.peak = memory.peak;
    for (const MemoryPoint& point : memory.curve)
        curve.steps.push_back({point.node == kNoNode ? QObject::tr("between forward and backward")
                                                     : QStringLiteral("%") + toQString(point.name),
                               static_cast<double>(point.bytes) / kBytesOfMegabyte, point.stage == Stage::backward});
    if (measured) addMeasured(memory, measured->liveBytes, curve);
    return curve;
}

}  // namespace

MemoryPanel::MemoryPanel(QWidget* parent)
    : QWidget(parent),
      row_(new QHBoxLayout),
      export_(new QToolButton(this)),
      note_(new QLabel(this)),
      chart_(new MemoryChart(this)),
      live_(new TablePanel(this)),
      range_(new QLabel(this)) {
    export_->setObjectName(QStringLiteral("exportMemory"));
    export_->setText(tr("Export…"));
    export_->setToolTip(tr("Save the chart as SVG or PNG"));
    export_->setEnabled(false);
    note_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    note_->setWordWrap(true);
    live_->setObjectName(QStringLiteral("liveTable"));
    live_->view()->setAccessibleName(tr("Live values"));
    auto* splitter = new QSplitter(this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(chart_);
    splitter->addWidget(live_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({600, 400});
    row_->setContentsMargins(6, 4, 6, 0);
    row_->addWidget(export_);
    row_->addSpacing(8);
    row_->addWidget(note_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(row_);
    layout->addWidget(splitter, 1);
    layout->addWidget(range_);
    range_->setObjectName(QStringLiteral("memoryRange"));
    range_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    range_->setContentsMargins(6, 0, 6, 4);
    range_->hide();
    connect(chart_, &MemoryChart::rangeChanged, this, &MemoryPanel::showRange);
    connect(export_, &QToolButton::clicked, this, &MemoryPanel::exportRequested);
    connect(chart_, &MemoryChart::stepChosen, this, [this](int step) {
        const auto point = static_cast<std::size_t>(step);
        showPoint(point);
        chart_->setChosen(step);
        if (memory_->curve[point].node != kNoNode) Q_EMIT nodeSelected(memory_->curve[point].node);
    });
}

void MemoryPanel::addButton(QAction* action) { addActionButton(row_, export_, action); }

void MemoryPanel::showMemory(std::shared_ptr<const LiveMemory> memory, std::optional<MeasuredFigures> measured,
                             const QString& arena, bool whatIf) {
    memory_ = std::move(memory);
    measured_ = std::move(measured);
    export_->setEnabled(memory_ != nullptr);
    QString note = memory_ ? noteOf(*memory_, measured_) : QString();
    if (memory_ && !arena.isEmpty()) note += QStringLiteral(", ") + arena;
    note_->setText(whatIf ? ofWhatIf(note) : note);
    outdated_ = true;
    if (isVisible()) refresh();
}

void MemoryPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (outdated_) refresh();
}

void MemoryPanel::refresh() {
    outdated_ = false;
    chart_->setCurve(memory_ ? curveOf(*memory_, measured_) : MemoryCurve());
    if (memory_) showPoint(memory_->peak);
    else live_->setContent({});
    showRange();
}

/// The chart's steps are the points of the curve.
void MemoryPanel::showRange() {
    const auto& range = chart_->range();
    range_->setVisible(range.has_value());
    if (!range) return range_->clear();
    const auto begin = memory_->curve.begin() + range->first, end = memory_->curve.begin() + range->second + 1;
    std::vector<NodeId> nodes;
    for (auto point = begin; point != end; ++point)
        if (point->node != kNoNode) nodes.push_back(point->node);
    const auto [lowest, highest] = std::ranges::minmax_element(begin, end, {}, &MemoryPoint::bytes);
    const auto text = [](std::int64_t bytes) { return toQString(formatBytes(bytes)); };
    range_->setText(tr("%1 marked: live memory from %2 to %3, highest at %4")
                        .arg(toQString(counted(nodes.size(), "operation")), text(lowest->bytes), text(highest->bytes),
                             chart_->curve().steps[static_cast<std::size_t>(highest - memory_->curve.begin())].name));
    if (!nodes.empty()) Q_EMIT nodesSelected(nodes);
}

void MemoryPanel::showPoint(std::size_t point) { live_->setContent(liveTable(*memory_, point)); }

}  // namespace aotscope
