// The View menu.

#include "controllers/make_action.h"
#include "support/enumerators.h"
#include "window/menus.h"
#include "window/pages/window_layouts.h"

#include <QMenuBar>

namespace aotscope {

void Menus::buildViewMenu() {
    QMenu* menu = bar_->addMenu(tr("&View"));
    addZoomActions(menu);
    menu->addSeparator();
    all_.canvas->addActionsTo(menu);
    menu->addSeparator();
    addColourActions(menu->addMenu(tr("Colour &By")));
    addSecondGraphActions(menu);
    QMenu* text = menu->addMenu(tr("Te&xt Size"));
    for (QAction* action : preferences_->textActions()) text->addAction(action);
    menu->addMenu((new WindowLayouts(bench_.window, bench_.perspectives, bench_.settings))->menu());
    menu->addSeparator();
    for (QAction* action : bench_.perspectives->actions()) menu->addAction(action);
    for (const QWidget* page :
         std::initializer_list<const QWidget*>{bench_.pages->contract(), all_.text, all_.log->panel()})
        menu->addAction(bench_.pages->opening(page));
    menu->addAction(bench_.drawer->action());
    menu->addSeparator();
    addPageActions(menu->addMenu(tr("Pa&ges")));
    addPanelActions(menu->addMenu(tr("Pa&nels")));
}

void Menus::addZoomActions(QMenu* menu) {
    GraphPane* pane = bench_.pane();
    GraphView* view = pane->view();
    menu->addAction(tr("Zoom &In"), QKeySequence::ZoomIn, this, [view] { view->zoomBy(1.25); });
    menu->addAction(tr("Zoom &Out"), QKeySequence::ZoomOut, this, [view] { view->zoomBy(0.8); });
    menu->addAction(tr("&100 %"), QKeySequence(tr("Z")), this, [view] { view->resetZoom(); });
    menu->addAction(tr("Fit &Width"), QKeySequence(tr("Shift+Z")), this, [view] { view->fitWidth(); });
    menu->addAction(tr("Fit &All"), QKeySequence(tr("Ctrl+0")), this, [pane] { pane->fitAll(); });
    menu->addAction(tr("&Centre on Selection"), QKeySequence(tr("C")), this, [view] { view->centreOnSelection(); });
}

void Menus::addColourActions(QMenu* menu) {
    auto* group = new QActionGroup(this);
    const ColourBy remembered = colourByFromName(bench_.settings.colourBy()).value_or(ColourBy::stage);
    const ColourBy current = withoutValues(remembered);
    for (const ColourBy by : kEnumerators<ColourBy>) {
        if (showsValues(by)) break;
        const ColourEntry& entry = entryOf(by);
        auto* action = group->addAction(menu->addAction(tr(entry.menu), QKeySequence(tr(entry.key)), this,
                                                        [this, by] { Q_EMIT coloursChosen(by); }));
        action->setObjectName(QStringLiteral("colourBy-") + name(by));
        action->setCheckable(true);
        action->setChecked(by == current);
    }
    for (GraphPane* pane : {bench_.pane(), all_.secondary->pane()}) pane->view()->setColourBy(current);
    ColourController* colours = all_.navigation->colours();
    colours->addActionsTo(menu, group);
    if (showsValues(remembered) && remembered < ColourBy::measured) colours->colourBy(remembered);
    for (GraphPane* pane : {bench_.pane(), all_.secondary->pane()}) pane->strip()->setColours(menu);
}

void Menus::addSecondGraphActions(QMenu* menu) {
    QAction* second = ofSession(
        menu->addAction(tr("Second &Graph"), QKeySequence(tr("D")), all_.secondary, &SecondaryGraphController::show));
    second->setObjectName(QStringLiteral("actionBeside"));
    second->setCheckable(true);
    QAction* link = makeToggle(this, QStringLiteral("actionLinkCameras"), tr("&Link Views"), {tr("Shift+C")},
                               tr("Pans and zooms both graphs together"), [this](bool linked) {
                                   bench_.settings.setLinkedCameras(linked);
                                   all_.secondary->linkCameras(linked);
                               });
    link->setChecked(bench_.settings.linkedCameras());
    menu->addAction(link);
    for (QAction* action : all_.compare->actions()) menu->addAction(action);
    connect(all_.compare, &CompareController::comparingChanged, second, &QAction::setChecked);
}

/// Pages by perspective, then those that are in all of them.
void Menus::addPageActions(QMenu* menu) {
    const auto add = [&](QMenu* to, const std::optional<Perspective>& perspective) {
        for (const Page& page : bench_.pages->all())
            if (page.perspective == perspective && page.widget != bench_.pages->tabs() &&
                page.widget != bench_.pages->contract())
                to->addAction(bench_.pages->opening(page.widget));
    };
    for (const PerspectiveInfo& info : perspectiveList())
        if (bench_.pages->hasTabs(info.perspective))
            add(menu->addMenu(tr("%1 Pages").arg(info.title)), info.perspective);
    menu->addSeparator();
    add(menu, std::nullopt);
}

void Menus::addPanelActions(QMenu* menu) {
    menu->addAction(all_.debug->toolBar()->toggleViewAction());
    for (const Page& page : bench_.pages->all())
        if (page.isDock()) menu->addAction(bench_.pages->dock(page.widget)->toggleViewAction());
}

}  // namespace aotscope
