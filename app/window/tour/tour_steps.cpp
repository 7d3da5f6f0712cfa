#include "window/controllers.h"
#include "window/tour/tour.h"

#include "panels/inspector/node_html.h"

#include <QToolBar>

namespace aotscope {

namespace {

/// A value for which Why has something to say: the selected one, or the largest that only backward keeps alive.
void selectSavedValue(Workbench& bench) {
    const auto record = bench.run.record();
    if (bench.selection.object() || !record || !record->partition || !bench.selection.graph()) return;
    const SavedValue* largest = nullptr;
    for (const SavedValue& value : record->partition->saved)
        if (value.donated && bench.selection.graph()->findById(value.node) &&
            (!largest || value.type.bytes() > largest->type.bytes()))
            largest = &value;
    if (largest) bench.selection.select(largest->node);
}

/// Brings the page that contains `widget` to the front.
QWidget* raised(Workbench& bench, QWidget* widget) {
    if (const Page* page = bench.pages->around(widget)) bench.pages->show(page->widget);
    return widget;
}

QWidget* buttonOf(const QMainWindow& window, const char* action) {
    auto* found = window.findChild<QAction*>(QLatin1String(action));
    for (QToolBar* bar : window.findChildren<QToolBar*>())
        if (QWidget* button = found ? bar->widgetForAction(found) : nullptr) return button;
    return nullptr;
}

}  // namespace

std::vector<Tour::Step> tourSteps(Workbench& bench, const Controllers& all) {
    WhatIfController* whatIf = all.whatIf;
    return {
        {QObject::tr("The graph"),
         QObject::tr("Forward runs down on the left, backward up on the right. Green borders mark what is saved for "
                     "backward. Click a box to select it; double-click a module to open or close it."),
         [&bench]() -> QWidget* {
             bench.centre->showGraphs();
             return bench.pane()->view()->viewport();  // its legend is read beside the bubble
         }},
        {QObject::tr("Why"),
         QObject::tr("Why the selected value is saved, recomputed or neither: the partitioner's rules, the one that "
                     "decided, and what the other choice would cost."),
         [&bench] {
             selectSavedValue(bench);
             bench.inspector->showSection(QLatin1String(kWhySection));
             return raised(bench, bench.inspector);
         }},
        {QObject::tr("What If"),
         QObject::tr(
             "Lower the memory budget, or press Shift+R to recompute the selected value: memory and times follow at "
             "once, without compiling again. Ctrl+Z undoes it."),
         [&bench, whatIf] { return raised(bench, whatIf->panel()); }},
        {QObject::tr("Check"),
         QObject::tr(
             "Runs eager and the compiled graphs, and compares outputs, gradients and mutated inputs. Shift+F1 shows "
             "this tour again; F1 opens the manual."),
         [&bench] { return buttonOf(*bench.window, "actionCheck"); }}};
}

}  // namespace aotscope
