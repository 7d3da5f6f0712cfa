// What the window shows while the pipeline stands still at a breakpoint: the run as far as it has come.

#include "window/main_window.h"

namespace aotscope {

std::shared_ptr<const CompileRecord> MainWindow::shownRecord() const {
    return partial_ ? partial_ : session_ ? session_->record() : nullptr;
}

void MainWindow::connectBreakpoints() {
    BreakpointController* breakpoints = exploration_->breakpoints();
    connect(breakpoints, &BreakpointController::stopped, this, &MainWindow::showStop);
    connect(breakpoints, &BreakpointController::resumed, this,
            [this] { stage_->setText(tr("The pipeline is running")); });
    connect(breakpoints, &BreakpointController::stepwiseRequested, this, &MainWindow::run);
    connect(&job_, &BackgroundJob::finished, this, [this, breakpoints] {
        breakpoints->finish();
        // A result comes right after this; if none does, the run was given up.
        if (partial_) QMetaObject::invokeMethod(this, &MainWindow::leavePartial, Qt::QueuedConnection);
    });
}

void MainWindow::showStop(const std::shared_ptr<const PipelineStop>& stop) {
    partial_ = stop->record;
    centre_->setCurrentWidget(graphs_);
    showFinishedRun(false);
    showRecord();
    const QString reason = toQString(stop->hit.reason);
    stage_->setText(tr("Stopped: %1").arg(reason));
    if (const auto& where = stop->hit.where) {
        pane_->showGraph(where->kind, where->graph);
        selection_.select(stop->hit.node);
    } else {
        passes_->setCurrentPass(static_cast<int>(partial_->passes.size()) - 1);
    }
    exploration_->showBreakpoints();
}

/// The run was cancelled or has failed: what was there before is shown again.
void MainWindow::leavePartial() {
    if (!partial_ || job_.running()) return;
    partial_.reset();
    if (!session_) {
        passes_->setRecord(nullptr);
        start_->refresh(settings_.recentModels());
        centre_->setCurrentWidget(start_);
        refreshTables();
        return showSummary();
    }
    showRecord();
    showFinishedRun(true);
}

/// Of a run that stands still, what only finished ones have is not shown: it would be that of the run before.
void MainWindow::showFinishedRun(bool shown) {
    laboratory_->setPaused(!shown);
    for (QWidget* page : {static_cast<QWidget*>(laboratory_->difference()), static_cast<QWidget*>(compare_->panel()),
                          static_cast<QWidget*>(laboratory_->variantPanel()),
                          static_cast<QWidget*>(laboratory_->pareto()), static_cast<QWidget*>(laboratory_->memory())}) {
        const int tab = tables_->indexOf(page);
        tables_->setTabEnabled(tab, shown);
        tables_->setTabToolTip(tab, shown ? QString() : tr("Not available while the pipeline is paused"));
    }
}

}  // namespace aotscope
