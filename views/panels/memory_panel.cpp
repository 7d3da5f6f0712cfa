#include "panels/memory_panel.h"

#include "models/variant_tables.h"

#include <QSplitter>
#include <QVBoxLayout>

namespace aotscope {

namespace {

constexpr double kMegabyte = 1e6;

MemoryCurve curveOf(const LiveMemory& memory) {
    MemoryCurve curve;
    curve.peak = memory.peak;
    for (const MemoryPoint& point : memory.curve)
        curve.steps.push_back({point.node == kNoNode ? QObject::tr("between forward and backward")
                                                     : QStringLiteral("%") + toQString(point.name),
                               static_cast<double>(point.bytes) / kMegabyte, point.stage == Stage::backward});
    return curve;
}

}  // namespace

MemoryPanel::MemoryPanel(QWidget* parent)
    : QWidget(parent), chart_(new MemoryChart(this)), live_(new TablePanel(this)) {
    live_->setObjectName(QStringLiteral("liveTable"));
    live_->view()->setAccessibleName(tr("What is in memory"));
    auto* splitter = new QSplitter(this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(chart_);
    splitter->addWidget(live_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({600, 400});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
    connect(chart_, &MemoryChart::stepChosen, this, [this](int step) {
        const auto point = static_cast<std::size_t>(step);
        showPoint(point);
        chart_->setChosen(step);
        if (memory_->curve[point].node != kNoNode) Q_EMIT nodeSelected(memory_->curve[point].node);
    });
}

void MemoryPanel::showMemory(std::shared_ptr<const LiveMemory> memory) {
    memory_ = std::move(memory);
    outdated_ = true;
    if (isVisible()) refresh();
}

void MemoryPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (outdated_) refresh();
}

void MemoryPanel::refresh() {
    outdated_ = false;
    chart_->setCurve(memory_ ? curveOf(*memory_) : MemoryCurve());
    if (memory_) showPoint(memory_->peak);
    else live_->setContent({});
}

void MemoryPanel::showPoint(std::size_t point) { live_->setContent(liveTable(*memory_, point)); }

}  // namespace aotscope
