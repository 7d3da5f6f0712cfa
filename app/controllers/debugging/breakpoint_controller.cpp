#include "controllers/debugging/breakpoint_controller.h"

#include "controllers/make_action.h"

#include <algorithm>

namespace aotscope {

BreakpointController::BreakpointController(QWidget* parent) : QObject(parent), panel_(new BreakpointPanel(parent)) {
    actions_ = {makeAction(this, QStringLiteral("actionContinue"), tr("Continue the Pip&eline"), {Qt::Key_F8},
                           tr("Runs to the next breakpoint or to the end"), [this] { goOn(); }),
                makeAction(this, QStringLiteral("actionStep"), tr("&Step to the Next Pass"), {Qt::Key_F10},
                           tr("Runs one pass and pauses; starts compiling step by step if nothing is paused"),
                           [this] { step(); })};
    connect(panel_, &BreakpointPanel::continueRequested, this, &BreakpointController::goOn);
    connect(panel_, &BreakpointPanel::stepRequested, this, &BreakpointController::step);
    enable();
}

bool BreakpointController::armed() const {
    return stopAtOnce_ || std::ranges::any_of(panel_->breakpoints(), &Breakpoint::enabled);
}

std::shared_ptr<PipelinePause> BreakpointController::arm() {
    finish();
    if (!armed()) return nullptr;
    const auto& breakpoints = panel_->breakpoints();
    const bool atOnce = std::exchange(stopAtOnce_, false);
    // The job shares ownership: its thread may go on.
    pause_ = std::make_shared<PipelinePause>(breakpoints, atOnce);
    connect(
        pause_.get(), &PipelinePause::stopped, this,
        [this, pause = pause_.get()](const std::shared_ptr<const PipelineStop>& stop) {
            if (pause != pause_.get()) return;
            stop_ = stop;
            enable();
            Q_EMIT stopped(stop);
        },
        Qt::QueuedConnection);
    return pause_;
}

void BreakpointController::finish() {
    pause_.reset();
    stop_.reset();
    enable();
}

void BreakpointController::goOn() { resume(false); }

void BreakpointController::step() {
    if (stop_) return resume(true);
    stopAtOnce_ = true;
    Q_EMIT stepwiseRequested();
    stopAtOnce_ = false;
}

void BreakpointController::resume(bool step) {
    if (!stop_ || !pause_) return;
    stop_.reset();
    enable();
    Q_EMIT resumed();
    pause_->resume(step);
}

void BreakpointController::enable() {
    actions_[0]->setEnabled(stop_ != nullptr);
    panel_->setStopped(stop_ ? QString::fromStdString(stop_->hit.reason) : QString());
}

}  // namespace aotscope
