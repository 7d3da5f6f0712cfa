#include "controllers/graphs/colour_controller.h"

#include "support/enumerators.h"
#include "support/input_file.h"

#include <QFileDialog>

namespace aotscope {

ColourController::ColourController(const Surroundings& around) : Controller(around) {
    connect(pane_, &GraphPane::graphChanged, this, &ColourController::refresh);
    connect(&job_, &BackgroundJob::failed, this, &ColourController::onFailure);
}

void ColourController::addActionsTo(QMenu* menu, QActionGroup* group) {
    fallback_ = group->actions().value(0);
    menu->addSeparator();
    for (const ColourBy by : kEnumerators<ColourBy>) {
        if (!showsValues(by)) continue;
        const ColourEntry& entry = entryOf(by);
        auto* action = group->addAction(menu->addAction(tr(entry.menu), QKeySequence(tr(entry.key)), this, [=, this] {
            by == ColourBy::overlay ? overlayDialog() : colourBy(by);
        }));
        action->setObjectName(QStringLiteral("colourBy-") + name(by));
        action->setCheckable(true);
        actions_[by] = action;
    }
}

void ColourController::setRecord(std::shared_ptr<const CompileRecord> record) {
    job_.cancel();
    values_.clear();
    chosenHere_ = false;
    if (sources_.record && sources_.record->model.name != record->model.name) sources_.overlay.reset();
    sources_.record = std::move(record);
    sources_.compilers.clear();
    sources_.timing.reset();
}

void ColourController::setTiming(std::shared_ptr<const TimingResult> timing) {
    sources_.timing = std::move(timing);
    renew(ColourBy::measured);
    renew(ColourBy::estimated);
}

void ColourController::setCompilers(const std::vector<CompilerUse>& compilers) {
    sources_.compilers = compilers;
    renew(ColourBy::kernel);
}

void ColourController::renew(ColourBy changed) {
    if (by_ != changed) return;
    values_.clear();
    refresh();
}

void ColourController::colourBy(std::optional<ColourBy> by) {
    job_.cancel();
    values_.clear();
    by_ = by;
    chosenHere_ = true;
    if (by) {
        if (const auto action = actions_.find(*by); action != actions_.end()) action->second->setChecked(true);
        Q_EMIT chosen(name(*by));
    }
    if (!by_) return apply();
    refresh();
}

void ColourController::overlayDialog() {
    const QString file =
        QFileDialog::getOpenFileName(window_, tr("Open Overlay"), {}, tr("Overlay (*.json);;All files (*)"));
    if (!file.isEmpty()) return openOverlay(file);
    // Nothing was chosen: restore the mark in the menu.
    if (!by_ && fallback_) fallback_->trigger();
    else if (by_) actions_.at(*by_)->setChecked(true);
}

void ColourController::openOverlay(const QString& file) {
    chosenHere_ = true;
    try {
        const InputFile regular(file.toStdString());  // a window does not wait for pipes
        const auto overlay = std::make_shared<const Overlay>(readOverlay(file.toStdString()));
        if (pane_->graph()) requireOverlap(*overlay, *pane_->graph(), pane_->kind());
        showOverlay(overlay);
        Q_EMIT overlayOpened();
    } catch (const std::exception&) {
        onFailure(std::current_exception());
    }
}

void ColourController::showOverlay(std::shared_ptr<const Overlay> overlay) {
    sources_.overlay = std::move(overlay);
    colourBy(ColourBy::overlay);
}

/// Requests the values of the shown graph if they are not known yet.
void ColourController::refresh() {
    const auto graph = pane_->graph();
    if (!by_ || !graph || !sources_.record || values_.contains(graph)) return;
    job_.start<std::shared_ptr<const NodeValues>>(
        tr(entryOf(*by_).title),
        [by = *by_, graph, kind = pane_->kind(), sources = sources_](const Progress&) {
            return std::make_shared<const NodeValues>(valuesOf(by, *graph, kind, sources));
        },
        [this, graph](std::shared_ptr<const NodeValues> values) {
            values_[graph] = std::move(values);
            apply();
        });
}

void ColourController::apply() {
    if (!by_) return pane_->setDecoration({});
    pane_->setDecoration([values = values_](DrawnGraph& drawn, const std::shared_ptr<const Graph>& graph) {
        if (const auto it = values.find(graph); it != values.end()) tint(drawn, *it->second);
    });
}

/// Without values, boxes have the theme's colours. A choice made for another run may have no values here; do not report
/// that.
void ColourController::onFailure(const std::exception_ptr& error) {
    const bool asked = chosenHere_;
    by_.reset();
    apply();
    if (fallback_) fallback_->trigger();
    if (asked) Q_EMIT failed(error);
}

}  // namespace aotscope
