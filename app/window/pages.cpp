#include "window/pages.h"

#include "controllers/make_action.h"
#include "models/to_qstring.h"

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

Pages::Pages(QMainWindow* window) : QObject(window), window_(window), tabs_(new QTabWidget(window)) {
    tabs_->setObjectName(QStringLiteral("tables"));
    tabs_->setDocumentMode(true);
    tabs_->tabBar()->setFocusPolicy(Qt::StrongFocus);  // help is about the page whose tab was clicked
    window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window->setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
}

void Pages::add(Page page) {
    const std::string name = page.name.toStdString();
    if (!page.widget || page.name.isEmpty() || page.help.isEmpty())
        throw std::logic_error("page '" + name + "' lacks a name, a widget or a section of the manual");
    if (find(page.name)) throw std::logic_error("there are two pages named '" + name + "'");
    if (page.nodes) connect(page.nodes, &TablePanel::nodeSelected, this, &Pages::nodeSelected);
    if (page.place == Page::Place::tab) {
        page.widget->setObjectName(page.name);
        tabs_->addTab(page.widget, page.title);
    } else {
        addDock(page);
    }
    if (page.opening) addOpening(page);
    pages_.push_back(std::move(page));
}

/// Docks on the right are tabs of one another.
void Pages::addDock(const Page& page) {
    auto* dock = new QDockWidget(page.title, window_);
    dock->setObjectName(page.name);
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
    const auto& [name, text, key, tip] = *page.opening;
    openings_.emplace(page.widget,
                      makeAction(this, name, text, {key}, tip, [this, widget = page.widget] { show(widget); }));
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

/// A dock of tabs is a page that holds pages: the innermost one counts.
const Page* Pages::around(const QWidget* widget) const {
    for (; widget; widget = widget->parentWidget())
        if (const auto page = std::ranges::find(pages_, widget, &Page::widget); page != pages_.end()) {
            if (page->widget != tabs_) return &*page;
            const auto front = std::ranges::find(pages_, tabs_->currentWidget(), &Page::widget);
            return front == pages_.end() ? nullptr : &*front;
        }
    return nullptr;
}

const Page& Pages::of(const QWidget* widget) const {
    const auto page = std::ranges::find(pages_, widget, &Page::widget);
    if (page == pages_.end()) throw std::logic_error("a widget was asked for that is no page of the window");
    return *page;
}

QAction* Pages::opening(const QWidget* page) const {
    const auto action = openings_.find(page);
    if (action == openings_.end())
        throw std::logic_error("page '" + of(page).name.toStdString() + "' has no command that opens it");
    return action->second;
}

QDockWidget* Pages::dock(const QWidget* page) const {
    const auto dock = docks_.find(page);
    if (dock == docks_.end()) throw std::logic_error("page '" + of(page).name.toStdString() + "' is no dock");
    return dock->second;
}

void Pages::show(const QWidget* page) {
    const bool isTab = of(page).place == Page::Place::tab;
    if (isTab) tabs_->setCurrentIndex(tabs_->indexOf(page));
    const auto around = docks_.find(isTab ? tabs_ : page);
    if (around == docks_.end()) return;  // there are no docks yet
    around->second->show();
    around->second->raise();
}

void Pages::fill(const ShownRun& run, const DecompositionTable* decompositions) {
    static const CompileRecord nothing;
    const auto record = run.record();
    for (const Page& page : pages_)
        if (page.fill) page.fill(record ? *record : nothing, run, decompositions);
}

void Pages::repartition(const ShownRun& run) {
    for (const Page& page : pages_)
        if (page.repartition) page.repartition(run);
}

void Pages::selectRows(const std::vector<NodeId>& nodes) {
    for (const Page& page : pages_)
        if (page.nodes) page.nodes->select(nodes);
}

void Pages::setRunFinished(bool finished) {
    for (const Page& page : pages_) {
        if (!page.ofFinishedRun) continue;
        const int tab = tabs_->indexOf(page.widget);
        tabs_->setTabEnabled(tab, finished);
        tabs_->setTabToolTip(tab, finished ? QString() : tr("Not available while the pipeline is paused."));
    }
}

}  // namespace aotscope
