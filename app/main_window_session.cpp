// What of the window goes into a session file, and how it comes back.

#include "main_window.h"

#include <QStatusBar>

namespace aotscope {

void MainWindow::connectSessionFile() {
    connect(sessionFile_, &SessionController::failed, this, &MainWindow::onFailure);
    connect(sessionFile_, &SessionController::openRequested, this, [this](const QString& file) { openModel(file); });
    connect(sessionFile_, &SessionController::savedTo, this, [this](const QString& file) {
        fillRecentMenu();
        statusBar()->showMessage(tr("Written to %1").arg(file), 8000);
    });
    connect(copying_, &CopyController::done, this,
            [this](const QString& what) { statusBar()->showMessage(what, 8000); });
    connect(laboratory_, &LaboratoryController::menuAsked, this, [this](QMenu* menu) {
        menu->addSeparator();
        for (QAction* action : copying_->nodeActions()) menu->addAction(action);
    });
    connect(laboratory_, &LaboratoryController::variantsChanged, sessionFile_, &SessionController::touch);
}

AddResults MainWindow::resultsToSave() {
    SessionView shown = view();
    shown.file = sessionFile_->file();
    return [check = checked_, bisect = bisected_, timing = timing_, variants = laboratory_->keptVariants(),
            view = sessionViewJson(shown)](SessionContent& content) {
        content.check = check;
        content.bisect = bisect;
        content.timing = timing;
        content.variants = variants;
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
    view.graph = pane_->kind();
    view.node = selection_.node();
    view.boxes = pane_->viewState();
    const GraphView::Position position = pane_->view()->position();
    view.zoom = position.zoom;
    view.centre = position.centre;
    view.table = tables_->currentWidget()->objectName();
    const auto record = session_ ? session_->record() : nullptr;
    const bool snapshot = record && record->graph(pane_->kind()) != pane_->graph();
    if (snapshot) view.pass = passes_->currentPass();
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
    else if (record->graph(view.graph)) pane_->showKind(view.graph);
    if (selection_.graph() && selection_.graph()->findById(view.node)) selection_.select(view.node);
    if (view.boxes && pane_->viewState() != *view.boxes) pane_->changeView(tr("the saved view"), *view.boxes);
    const auto place = [this, view] {
        if (view.zoom > 0 && pane_->kind() == view.graph) pane_->view()->goTo({view.centre, view.zoom});
    };
    if (!pane_->layoutRunning()) return place();
    connect(pane_, &GraphPane::layoutFinished, this, place, Qt::SingleShotConnection);
}

}  // namespace aotscope
