#include "window/pages/perspectives.h"

#include "controllers/make_action.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QLayout>
#include <QMenuBar>
#include <QSignalBlocker>
#include <QToolBar>

namespace aotscope {

namespace {

/// While docks are restored that may not stay: a window grows as soon as it cannot hold all of them.
class KeptSize {
public:
    explicit KeptSize(QMainWindow* window) : layout_(window->layout()) {
        layout_->setSizeConstraint(QLayout::SetNoConstraint);
    }
    ~KeptSize() { layout_->setSizeConstraint(QLayout::SetDefaultConstraint); }
    KeptSize(const KeptSize&) = delete;
    KeptSize& operator=(const KeptSize&) = delete;

private:
    QLayout* layout_;
};

}  // namespace

Perspectives::Perspectives(Pages* pages, QMainWindow* window, Settings* settings)
    : QObject(window),
      pages_(pages),
      window_(window),
      settings_(settings),
      bar_(new QTabBar(window)),
      default_(window->saveState()),
      folding_(new DockFolding(pages, window)) {
    window->setAnimated(false);  // Qt crashes when an arrangement is restored while a dock still moves
    addSwitch();
    connect(pages, &Pages::asked, this, &Perspectives::bring);
    watchUser();
    setAlone(true);
    layouts_.clear();
}

/// What the user arranges is left alone from then on.
void Perspectives::watchUser() {
    window_->installEventFilter(this);
    later_.setSingleShot(true);
    connect(&later_, &QTimer::timeout, this, [this] {
        if (alone_) return;
        noteChoices();
        if (!layouts_[current()].own) adapt();
    });
    const auto moved = [this] {
        if (!arranging_ && !alone_) takeOver();
    };
    for (const Page& page : pages_->all()) {
        if (!page.isDock()) continue;
        const QDockWidget* dock = pages_->dock(page.widget);
        connect(dock, &QDockWidget::topLevelChanged, this, moved);
        connect(dock, &QDockWidget::dockLocationChanged, this, moved);
        connect(dock->toggleViewAction(), &QAction::toggled, this, [this] {
            if (!arranging_ && !alone_) folding_->refreshEdges(true);
        });
    }
}

void Perspectives::takeOver() {
    Layout& layout = layouts_[current()];
    layout.own = true;
    layout.window = {};
}

/// Only separators between docks take a press on the window itself.
bool Perspectives::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::Resize:
        case QEvent::FontChange: later_.start(0); break;
        case QEvent::MouseButtonPress: pressed_ = window_->saveState(); break;
        case QEvent::MouseButtonRelease:
            if (!alone_ && !pressed_.isEmpty() && pressed_ != window_->saveState()) takeOver();
            pressed_.clear();
            break;
        default: break;
    }
    return QObject::eventFilter(watched, event);
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
        remember();
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
    const KeptSize kept(window_);
    const bool before = std::exchange(arranging_, true);
    std::vector<std::pair<QWidget*, bool>> shown;
    for (QWidget* widget : onDemand()) shown.emplace_back(widget, !widget->isHidden());
    Layout& layout = layouts_[current()];
    if (layout.state.isEmpty()) showDefault();
    else window_->restoreState(layout.state);
    for (const auto& [widget, visible] : shown) widget->setVisible(visible);
    pages_->dock(pages_->tabs())->setWindowTitle(infoOf(current()).title);
    if (isSmallerThan(layout.window)) layout.own = false;
    adapt();
    arranging_ = before;
}

/// The places that docks have on a large screen.
void Perspectives::showDefault() {
    window_->restoreState(default_);
    for (const Page& page : pages_->all()) {
        if (!page.isDock()) continue;
        QDockWidget* dock = pages_->dock(page.widget);
        const bool ofThis = !page.perspective || page.perspective == current();
        dock->setVisible(ofThis && !page.hidden && (page.widget != pages_->tabs() || pages_->hasTabs(current())));
        if (page.perspective == current()) dock->raise();
    }
}

/// Fits what the user has not arranged into the window.
void Perspectives::adapt() {
    const bool before = std::exchange(arranging_, true);
    Layout& layout = layouts_[current()];
    if (!layout.own) {
        folding_->arrange(layout.choices);
        layout.arranged.clear();
        for (QDockWidget* dock : folding_->docks()) layout.arranged[dock] = !dock->isHidden();
    }
    folding_->refreshEdges(true);
    for (QDockWidget* dock : window_->findChildren<QDockWidget*>())
        if (dock->isFloating() && !dock->isHidden()) bringOnScreen(*dock);
    arranging_ = before;
}

/// Docks that are not as they were arranged.
void Perspectives::noteChoices() {
    Layout& layout = layouts_[current()];
    for (const auto& [dock, shown] : layout.arranged)
        if (shown == dock->isHidden()) layout.choices[dock] = !dock->isHidden();
}

void Perspectives::remember() {
    if (alone_) return;
    noteChoices();
    layouts_[current()].state = window_->saveState();
}

/// Pages requested meanwhile are shown when the start page closes.
void Perspectives::setAlone(bool alone) {
    if (alone == alone_) return;
    if (alone) remember();
    alone_ = alone;
    bar_->parentWidget()->setVisible(!alone);
    if (!alone) return apply();
    for (const Page& page : pages_->all())
        if (page.isDock()) pages_->dock(page.widget)->hide();
    folding_->refreshEdges(false);
}

Arrangement Perspectives::arrangement() const {
    return {infoOf(current()).name, window_->saveState(), window_->size()};
}

void Perspectives::setArrangement(const Arrangement& arrangement) {
    if (!arrangement.perspective.isEmpty()) show(perspectiveFromName(arrangement.perspective));
    Layout& layout = layouts_[current()] = {arrangement.docks, arrangement.window, !isSmallerThan(arrangement.window)};
    if (alone_) return;
    const KeptSize kept(window_);
    const bool before = std::exchange(arranging_, true);
    window_->restoreState(layout.state);
    adapt();
    arranging_ = before;
}

/// The docks had more room than there is now.
bool Perspectives::isSmallerThan(QSize window) const {
    constexpr double enough = 0.9;
    return window.isValid() &&
           (window_->width() < enough * window.width() || window_->height() < enough * window.height());
}

void Perspectives::reset() {
    layouts_.clear();
    if (!alone_) apply();
}

void Perspectives::restore() {
    for (const Arrangement& each : settings_->arrangements())
        layouts_[perspectiveFromName(each.perspective)] = {each.docks, each.window, true};
    show(perspectiveFromName(settings_->perspective()));
}

void Perspectives::save() {
    remember();
    std::vector<Arrangement> all;
    for (const auto& [perspective, layout] : layouts_)
        if (layout.isUsers()) all.push_back({infoOf(perspective).name, layout.state, window_->size()});
    settings_->setArrangements(infoOf(current()).name, all);
}

}  // namespace aotscope
