// What of the window goes into a session file, and how it comes back.

#include "window/main_window.h"

#include <QStatusBar>

namespace aotscope {

void MainWindow::connectSessionFile() {
    connect(sessionFile_, &SessionController::failed, this, &MainWindow::onFailure);
    connect(recovery_, &RecoveryController::openRequested, this, [this](const QString& file) { openModel(file); });
    connect(sessionFile_, &SessionController::savedTo, this, [this](const QString& file) {
        fillRecentMenu();
        statusBar()->showMessage(tr("Saved %1").arg(file), 8000);
    });
    connect(copying_, &CopyController::done, this,
            [this](const QString& what) { statusBar()->showMessage(what, 8000); });
    connect(laboratory_, &LaboratoryController::menuAsked, this, [this](QMenu* menu) {
        menu->addSeparator();
        for (QAction* action : copying_->nodeActions()) menu->addAction(action);
    });
    connect(laboratory_, &LaboratoryController::variantsChanged, sessionFile_, &SessionController::touch);
    connect(canvas_, &CanvasController::bookmarksChanged, sessionFile_, &SessionController::touchMarks);
    connect(exploration_->breakpoints()->panel(), &BreakpointPanel::changed, sessionFile_,
            &SessionController::touchMarks);
    connect(exploration_->colours(), &ColourController::overlayOpened, sessionFile_, &SessionController::touchMarks);
}

AddResults MainWindow::resultsToSave() {
    SessionView shown = view();
    shown.file = sessionFile_->file();
    return [check = checked_, bisect = bisected_, timing = timing_, variants = laboratory_->keptVariants(),
            sweep = laboratory_->sweptVariants(), view = sessionViewJson(shown)](SessionContent& content) {
        content.check = check;
        content.bisect = bisect;
        content.timing = timing;
        content.variants = variants;
        content.sweep = sweep;
        content.view = view;
    };
}

void MainWindow::restoreResults(const SessionContent& saved) {
    timing_ = saved.timing;
    checked_ = saved.check;
    bisected_ = saved.bisect;
    viewToRestore_ = sessionViewFrom(saved.view);
}

SessionView MainWindow::view() const {
    SessionView view;
    view.place = canvas_->place();
    view.table = tables_->currentWidget()->objectName();
    const auto record = session_ ? session_->record() : nullptr;
    const bool snapshot = record && record->graph(pane_->kind()) != pane_->graph();
    if (snapshot) view.pass = passes_->currentPass();
    const ColourController* colours = exploration_->colours();
    view.colour = colours->dimension() ? name(*colours->dimension()) : name(pane_->view()->paintOptions().colourBy);
    if (colours->dimension() == Dimension::overlay) view.overlay = colours->overlay();
    view.bookmarks = canvas_->bookmarks();
    view.breakpoints = exploration_->breakpoints()->panel()->breakpoints();
    return view;
}

/// The graph at once, the place on it when its picture is there.
void MainWindow::restoreView() {
    if (!viewToRestore_) return;
    const SessionView view = *std::exchange(viewToRestore_, std::nullopt);
    const auto record = session_->record();
    for (int i = 0; i < tables_->count(); ++i)
        if (!view.table.isEmpty() && tables_->widget(i)->objectName() == view.table) tables_->setCurrentIndex(i);
    if (view.pass >= 0 && view.pass < static_cast<int>(record->passes.size())) passes_->setCurrentPass(view.pass);
    else if (record->graph(view.place.graph)) pane_->showKind(view.place.graph);
    canvas_->show(view.place, tr("the saved view"));
    canvas_->setBookmarks(view.bookmarks.value_or(Bookmarks()));
    if (view.breakpoints) exploration_->breakpoints()->panel()->setBreakpoints(*view.breakpoints);
    restoreColours(view);
}

void MainWindow::restoreColours(const SessionView& view) {
    if (view.overlay) return exploration_->colours()->showOverlay(view.overlay);
    if (view.colour.isEmpty() || view.colour == name(Dimension::overlay)) return;
    if (auto* action = findChild<QAction*>(QStringLiteral("colourBy-") + view.colour)) action->trigger();
}

}  // namespace aotscope
