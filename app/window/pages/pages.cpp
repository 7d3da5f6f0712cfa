#include "window/pages/pages.h"

#include "controllers/make_action.h"
#include "window/pages/page_filler.h"

#include <QTabBar>
#include <algorithm>
#include <stdexcept>

namespace aotscope {

namespace {

Qt::DockWidgetArea areaOf(Page::Place place) {
    switch (place) {
        case Page::Place::left: return Qt::LeftDockWidgetArea;
        case Page::Place::right: return Qt::RightDockWidgetArea;
        default: return Qt::BottomDockWidgetArea;
    }
}

}  // namespace

Pages::Pages(QMainWindow* window)
    : QObject(window),
      window_(window),
      tabs_(new QTabWidget(window)),
      contract_(new QTabWidget(window)),
      filler_(new PageFiller(pages_, this)) {
    tabs_->setObjectName(QStringLiteral("tables"));
    contract_->setObjectName(QStringLiteral("contract"));
    tabs_->setAccessibleName(tr("Tables"));
    contract_->setAccessibleName(tr("Contract"));
    for (QTabWidget* row : {tabs_, contract_}) {
        row->setDocumentMode(true);
        row->tabBar()->setFocusPolicy(Qt::StrongFocus);  // help is about the page whose tab was clicked
    }
    window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window->setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
}

void Pages::add(Page page) {
    const std::string name = page.name.toStdString();
    if (!page.widget || page.name.isEmpty() || page.help.isEmpty())
        throw std::logic_error("page '" + name + "' lacks a name, a widget or a section of the manual");
    if (find(page.name)) throw std::logic_error("there are two pages named '" + name + "'");
    if (page.nodes) {
        connect(page.nodes, &TablePanel::nodeSelected, this, &Pages::nodeSelected);
        connect(page.nodes, &TablePanel::nodesSelected, this, &Pages::nodesSelected);
    }
    if (page.place == Page::Place::tab && !page.perspective)
        throw std::logic_error("tab '" + name + "' is of no perspective");
    if (QTabWidget* row = rowOf(page)) {
        page.widget->setObjectName(page.name);
        const int tab = row->addTab(page.widget, page.title);
        row->setTabVisible(tab, !page.perspective || page.perspective == perspective_);
    } else {
        addDock(page);
    }
    addOpening(page);
    pages_.push_back(std::move(page));
}

/// Docks on the right are tabs of one another.
void Pages::addDock(const Page& page) {
    auto* dock = new QDockWidget(page.title, window_);
    dock->setObjectName(page.name);
    dock->setFont({});  // Qt gives titles one of their own, which would not follow the size of text
    dock->setWidget(page.widget);
    window_->addDockWidget(areaOf(page.place), dock);
    const auto neighbour = std::find_if(pages_.rbegin(), pages_.rend(),
                                        [](const Page& other) { return other.place == Page::Place::right; });
    if (page.place == Page::Place::right && neighbour != pages_.rend())
        window_->tabifyDockWidget(docks_.at(neighbour->widget), dock);
    if (page.hidden) dock->hide();
    docks_.emplace(page.widget, dock);
}

void Pages::addOpening(const Page& page) {
    const auto& [name, text, key, tip] = page.opening.value_or(
        Page::Opening{QStringLiteral("show-") + page.name, page.title, {}, tr("Shows the page %1").arg(page.title)});
    openings_.emplace(page.widget, makeAction(this, name, text, key.isEmpty() ? QList<QKeySequence>() : QList{key}, tip,
                                              [this, widget = page.widget] { show(widget); }));
}

/// The tabs that contain it; null: it is a dock.
QTabWidget* Pages::rowOf(const Page& page) const {
    return page.place == Page::Place::tab ? tabs_ : page.place == Page::Place::contract ? contract_ : nullptr;
}

void Pages::setPerspective(Perspective perspective) {
    if (hasTabs(perspective_)) fronts_[perspective_] = tabs_->currentWidget();
    perspective_ = perspective;
    const auto show = [this](bool ofThis) {
        for (const Page& page : pages_)
            if (page.place == Page::Place::tab && (page.perspective == perspective_) == ofThis)
                tabs_->setTabVisible(tabs_->indexOf(page.widget), ofThis && !absent_.contains(page.widget));
    };
    show(true);  // first: one tab of a row is always in front
    const auto first = std::ranges::find_if(
        pages_, [&](const Page& page) { return page.place == Page::Place::tab && page.perspective == perspective; });
    const auto before = fronts_.find(perspective);
    if (before != fronts_.end()) tabs_->setCurrentWidget(before->second);
    else if (first != pages_.end()) tabs_->setCurrentWidget(first->widget);
    show(false);
}

bool Pages::hasTabs(Perspective perspective) const {
    return std::ranges::any_of(
        pages_, [&](const Page& page) { return page.place == Page::Place::tab && page.perspective == perspective; });
}

const Page* Pages::find(const QString& name) const {
    const auto page = std::ranges::find(pages_, name, &Page::name);
    return page == pages_.end() ? nullptr : &*page;
}

TablePanel* Pages::table(const QString& name) const {
    const Page* page = find(name);
    auto* table = page ? qobject_cast<TablePanel*>(page->widget) : nullptr;
    if (!table) throw std::logic_error("the window has no table '" + name.toStdString() + "'");
    return table;
}

/// A dock of tabs is a page that contains pages: the innermost one counts.
const Page* Pages::around(const QWidget* widget) const {
    for (; widget; widget = widget->parentWidget()) {
        const bool row = widget == tabs_ || widget == contract_;
        const QWidget* wanted = row ? static_cast<const QTabWidget*>(widget)->currentWidget() : widget;
        if (const auto page = std::ranges::find(pages_, wanted, &Page::widget); page != pages_.end()) return &*page;
    }
    return nullptr;
}

const Page& Pages::of(const QWidget* widget) const {
    const auto page = std::ranges::find(pages_, widget, &Page::widget);
    if (page == pages_.end()) throw std::logic_error("a widget was asked for that is no page of the window");
    return *page;
}

QAction* Pages::opening(const QWidget* page) const { return openings_.at(of(page).widget); }

QDockWidget* Pages::dock(const QWidget* page) const {
    const auto dock = docks_.find(page);
    if (dock == docks_.end()) throw std::logic_error("page '" + of(page).name.toStdString() + "' is no dock");
    return dock->second;
}

QDockWidget* Pages::dockAround(const Page& page) const {
    const auto dock = docks_.find(page.isDock() ? page.widget : rowOf(page));
    return dock == docks_.end() ? nullptr : dock->second;
}

bool Pages::inFront(const QWidget* widget) const {
    const Page& page = of(widget);
    const QTabWidget* row = rowOf(page);
    return row && row->currentWidget() == widget && (!page.perspective || page.perspective == perspective_);
}

const Page* Pages::front() const { return hasTabs(perspective_) ? &of(tabs_->currentWidget()) : nullptr; }

void Pages::setPresent(const QWidget* widget, bool present) {
    const Page& page = of(widget);
    if (present) absent_.erase(widget);
    else absent_.insert(widget);
    tabs_->setTabVisible(tabs_->indexOf(page.widget), present && page.perspective == perspective_);
}

void Pages::show(const QWidget* widget) {
    const Page& page = of(widget);
    absent_.erase(widget);
    Q_EMIT asked(page);
    if (QTabWidget* row = rowOf(page)) {
        if (page.perspective == perspective_) row->setTabVisible(row->indexOf(page.widget), true);
        row->setCurrentIndex(row->indexOf(page.widget));
    }
}

void Pages::fill(const ShownRun& run, const std::shared_ptr<const DecompositionTable>& decompositions) {
    filler_->fill(run, decompositions);
}

void Pages::repartition(const ShownRun& run) { filler_->repartition(run); }

void Pages::selectRows(const std::vector<NodeId>& nodes) { filler_->selectRows(nodes); }

bool Pages::busy() const { return filler_->busy(); }

void Pages::setRunFinished(bool finished) {
    for (const Page& page : pages_) {
        if (!page.ofFinishedRun) continue;
        QTabWidget* row = rowOf(page);
        const int tab = row->indexOf(page.widget);
        row->setTabEnabled(tab, finished);
        row->setTabToolTip(tab, finished ? QString() : tr("Not available while the pipeline is paused."));
    }
}

}  // namespace aotscope
