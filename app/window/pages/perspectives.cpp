#include "window/pages/perspectives.h"

#include "controllers/make_action.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QSignalBlocker>
#include <QToolBar>

namespace aotscope {

Perspectives::Perspectives(Pages* pages, QMainWindow* window, Settings* settings)
    : QObject(window),
      pages_(pages),
      window_(window),
      settings_(settings),
      bar_(new QTabBar(window)),
      default_(window->saveState()) {
    window->setAnimated(false);  // Qt crashes when an arrangement is restored while a dock still moves
    addSwitch();
    connect(pages, &Pages::asked, this, &Perspectives::bring);
    arrangeByDefault();
}

void Perspectives::addSwitch() {
    auto* group = new QActionGroup(this);
    for (const PerspectiveInfo& info : perspectiveList()) {
        QAction* action = makeAction(this, QStringLiteral("perspective-") + info.name, info.title, {info.key}, info.tip,
                                     [this, perspective = info.perspective] { show(perspective); });
        action->setCheckable(true);
        actions_.push_back(group->addAction(action));
        const int segment = bar_->addTab(info.title);
        bar_->setTabToolTip(segment, QStringLiteral("%1 (%2)").arg(info.tip, info.key.toString()));
    }
    actions_.front()->setChecked(true);
    bar_->setObjectName(QStringLiteral("perspectives"));
    bar_->setAccessibleName(tr("Perspectives"));
    bar_->setDrawBase(false);
    bar_->setExpanding(false);
    auto* corner = new QWidget(window_);
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 0, 4, 0);
    row->addWidget(bar_);
    row->addSpacing(8);  // it opens a drawer, and is no perspective
    row->addWidget(contractButton(corner));
    window_->menuBar()->setCornerWidget(corner);
    connect(bar_, &QTabBar::currentChanged, this,
            [this](int segment) { show(perspectiveList()[static_cast<std::size_t>(segment)].perspective); });
}

/// Opens and closes the drawer.
QToolButton* Perspectives::contractButton(QWidget* parent) const {
    QDockWidget* dock = pages_->dock(pages_->contract());
    auto* button = new QToolButton(parent);
    button->setObjectName(QStringLiteral("contractButton"));
    button->setAutoRaise(true);
    button->setDefaultAction(dock->toggleViewAction());
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    const auto point = [button](bool open) { button->setArrowType(open ? Qt::DownArrow : Qt::UpArrow); };
    point(!dock->isHidden());
    connect(dock->toggleViewAction(), &QAction::toggled, button, point);
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolTip(pages_->opening(pages_->contract())->toolTip());
    connect(button, &QToolButton::clicked, dock, [dock] {
        if (!dock->isHidden()) dock->raise();
    });
    return button;
}

void Perspectives::show(Perspective perspective) {
    if (perspective != current()) {
        if (!alone_) states_[current()] = window_->saveState();
        pages_->setPerspective(perspective);
        if (!alone_) apply();
        Q_EMIT changed();
    }
    const auto segment = static_cast<int>(perspective);
    actions_[static_cast<std::size_t>(segment)]->setChecked(true);
    const QSignalBlocker silent(bar_);
    bar_->setCurrentIndex(segment);
}

void Perspectives::bring(const Page& page) {
    if (page.perspective) show(*page.perspective);
    if (alone_) return;
    QDockWidget* dock = pages_->dockAround(page);
    if (!dock) return;  // no docks yet
    dock->show();
    dock->raise();
}

std::vector<QWidget*> Perspectives::onDemand() const {
    std::vector<QWidget*> all;
    for (const Page& page : pages_->all())
        if (page.hidden) all.push_back(pages_->dock(page.widget));
    for (QToolBar* bar : window_->findChildren<QToolBar*>(Qt::FindDirectChildrenOnly)) all.push_back(bar);
    return all;
}

void Perspectives::apply() {
    std::vector<std::pair<QWidget*, bool>> shown;
    for (QWidget* widget : onDemand()) shown.emplace_back(widget, !widget->isHidden());
    if (const auto state = states_.find(current()); state == states_.end()) arrangeByDefault();
    else window_->restoreState(state->second);
    for (const auto& [widget, visible] : shown) widget->setVisible(visible);
    pages_->dock(pages_->tabs())->setWindowTitle(infoOf(current()).title);
}

void Perspectives::arrangeByDefault() {
    window_->restoreState(default_);
    for (const Page& page : pages_->all()) {
        if (!page.isDock()) continue;
        QDockWidget* dock = pages_->dock(page.widget);
        const bool ofThis = !page.perspective || page.perspective == current();
        dock->setVisible(ofThis && !page.hidden && (page.widget != pages_->tabs() || pages_->hasTabs(current())));
        if (page.perspective == current()) dock->raise();
    }
}

/// Pages requested meanwhile are shown when the start page closes.
void Perspectives::setAlone(bool alone) {
    if (alone == alone_) return;
    alone_ = alone;
    bar_->parentWidget()->setVisible(!alone);
    if (!alone) return apply();
    states_[current()] = window_->saveState();
    for (const Page& page : pages_->all())
        if (page.isDock()) pages_->dock(page.widget)->hide();
}

Arrangement Perspectives::arrangement() const { return {infoOf(current()).name, window_->saveState()}; }

void Perspectives::setArrangement(const Arrangement& arrangement) {
    if (!arrangement.perspective.isEmpty()) show(perspectiveFromName(arrangement.perspective));
    if (alone_) states_[current()] = arrangement.docks;
    else window_->restoreState(arrangement.docks);
}

void Perspectives::reset() {
    states_.clear();
    if (!alone_) arrangeByDefault();
}

void Perspectives::restore() {
    for (const Arrangement& each : settings_->arrangements())
        states_[perspectiveFromName(each.perspective)] = each.docks;
    show(perspectiveFromName(settings_->perspective()));
    apply();
}

void Perspectives::save() {
    if (!alone_) states_[current()] = window_->saveState();
    std::vector<Arrangement> all;
    for (const auto& [perspective, docks] : states_) all.push_back({infoOf(perspective).name, docks});
    settings_->setArrangements(infoOf(current()).name, all);
}

}  // namespace aotscope
