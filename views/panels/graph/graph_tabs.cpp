#include "panels/graph/graph_tabs.h"

#include "models/words/pass_titles.h"
#include "panels/graph/graph_pane.h"

#include <QMenu>
#include <algorithm>
#include <array>

namespace aotscope {

namespace {

/// From left to right: the most important first.
constexpr std::array kOrder = {GraphKind::joint,     GraphKind::forward, GraphKind::backward,
                               GraphKind::inference, GraphKind::source,  GraphKind::preFunctionalization,
                               GraphKind::functional};

// The data of a tab: a kind of graph, or one of these.
constexpr int kNetworkTab = kGraphKinds;
constexpr int kFirstLevelTab = kNetworkTab + 1;

constexpr int kMostTabs = 5;

}  // namespace

GraphKind firstGraphOf(const CompileRecord& record, GraphKind preferred) {
    for (const GraphKind kind : kOrder)
        if (!record.graph(preferred) && record.graph(kind)) return kind;
    return preferred;
}

GraphTabs::GraphTabs(QWidget* parent) : QTabBar(parent), others_(new QToolButton(parent)) {
    setObjectName(QStringLiteral("graphTabs"));
    setExpanding(false);
    setDrawBase(false);
    others_->setText(QStringLiteral("»"));
    others_->setAccessibleName(tr("Other Graphs"));
    others_->setToolTip(tr("Other graphs of this run"));
    others_->setAutoRaise(true);
    others_->setPopupMode(QToolButton::InstantPopup);
    others_->setFocusPolicy(Qt::TabFocus);
    others_->setMenu(new QMenu(others_));
    connect(this, &QTabBar::currentChanged, this, &GraphTabs::choose);
}

void GraphTabs::showRecord(const CompileRecord& record) {
    const QSignalBlocker blocker(this);
    while (count() > 0) removeTab(0);
    const auto add = [this](const QString& title, const QString& tip, int chosen) {
        const int tab = addTab(title);
        setTabData(tab, chosen);
        setTabToolTip(tab, tip);
    };
    for (const GraphKind kind : kOrder)
        if (record.graph(kind)) add(titleOf(kind), sentenceOn(kind), static_cast<int>(kind));
    if (record.graph(GraphKind::joint) && record.partition && record.partition->network)
        add(tr("Flow Network"), tr("The network whose minimum cut decides what is saved."), kNetworkTab);
    for (int level = 0; level < levels_.size() && compiledGraph(record).second; ++level)
        add(levels_[level], tr("The compiled graph with operators of this level."), kFirstLevelTab + level);
    reveal(currentIndex());
}

void GraphTabs::reveal(int tab) {
    const bool all = count() <= kMostTabs;
    others_->menu()->clear();
    others_->setVisible(!all);
    for (int i = 0; i < count(); ++i) {
        setTabVisible(i, all || i < kMostTabs - 1 || i == tab);
        if (!isTabVisible(i)) others_->menu()->addAction(tabText(i), this, [this, i] { setCurrentIndex(i); });
    }
    updateGeometry();  // Qt omits that for tabs that appear and disappear
    offerScrolling();
}

/// Qt shows its buttons while tabs are replaced, and leaves them there.
void GraphTabs::offerScrolling() { setUsesScrollButtons(width() < sizeHint().width()); }

QSize GraphTabs::minimumSizeHint() const {
    constexpr int least = 75;  // with buttons
    return {std::min(least, sizeHint().width()), sizeHint().height()};
}

void GraphTabs::resizeEvent(QResizeEvent* event) {
    offerScrolling();
    QTabBar::resizeEvent(event);
}

void GraphTabs::choose(int tab) {
    if (tab < 0) return;
    const int chosen = tabData(tab).toInt();
    if (chosen == kNetworkTab) Q_EMIT networkChosen();
    else if (chosen >= kFirstLevelTab) Q_EMIT levelChosen(chosen - kFirstLevelTab);
    else Q_EMIT kindChosen(static_cast<GraphKind>(chosen));
}

void GraphTabs::mark(int wanted) {
    const QSignalBlocker blocker(this);
    for (int i = 0; i < count(); ++i)
        if (tabData(i).toInt() == wanted) {
            setTabVisible(i, true);  // before the one that it replaces
            setCurrentIndex(i);
            return reveal(i);
        }
}

void GraphTabs::markNetwork() { mark(kNetworkTab); }

void GraphTabs::markLevel(int level) { mark(kFirstLevelTab + level); }

}  // namespace aotscope
