#include "controllers/runs/runs_controller.h"

#include "controllers/make_action.h"
#include "support/formatted.h"

#include <QUndoCommand>

#include <algorithm>
#include <functional>
#include <utility>

namespace aotscope {

namespace {

constexpr int kMeasuredRuns = 10;

/// The step from one run to another. It has been made when the command is.
class RunChange : public QUndoCommand {
public:
    RunChange(int from, int to, std::function<void(int)> show)
        : QUndoCommand(QObject::tr("go to run %1").arg(to)), from_(from), to_(to), show_(std::move(show)) {}
    void undo() override { show_(from_); }
    void redo() override {
        if (std::exchange(made_, true)) show_(to_);
    }

private:
    int from_, to_;
    bool made_ = false;
    std::function<void(int)> show_;
};

QString verdictOf(const Run& run) {
    if (run.session && !run.session->record()->error.empty()) return QObject::tr("fails");
    return run.results.checked ? toQString(name(run.results.checked->verdict())) : QString();
}

}  // namespace

RunsController::RunsController(const Surroundings& around, RunList& runs, WhatIfController* whatIf,
                               CompareController* compare)
    : Controller(around), runs_(runs), whatIf_(whatIf), compare_(compare), panel_(new RunPanel(window_)) {
    actions_ = {makeAction(this, QStringLiteral("actionPreviousRun"), tr("Pre&vious Run"), {tr("Ctrl+Shift+PgUp")},
                           tr("Shows the run before this one, with its results"), [this] { step(-1); }),
                makeAction(this, QStringLiteral("actionNextRun"), tr("Ne&xt Run"), {tr("Ctrl+Shift+PgDown")},
                           tr("Shows the run after this one, with its results"), [this] { step(1); })};
    connectPanel();
    forward(&measuring_);
    connect(&measuring_, &BackgroundJob::failed, this, [this] { toMeasure_.clear(); });
    refresh();
}

void RunsController::connectPanel() {
    VariantController* variants = whatIf_->variants();
    connect(panel_, &RunPanel::showRequested, this, &RunsController::show);
    connect(panel_, &RunPanel::compareRequested, this, &RunsController::compare);
    connect(panel_, &RunPanel::measureRequested, this, &RunsController::measure);
    connect(panel_, &RunPanel::removeRequested, this, &RunsController::remove);
    connect(panel_, &RunPanel::applyRequested, this,
            [this, variants](int row) { variants->activate(at(row).variant); });
    connect(variants, &VariantController::listed, this, &RunsController::refresh);
    connect(variants, &VariantController::runChosen, this, &RunsController::go);
}

void RunsController::cancel() {
    toMeasure_.clear();
    measuring_.cancel();
}

// --- from run to run ---

void RunsController::step(int by) {
    const auto& all = runs_.all();
    const auto shown = std::ranges::find(all, runs_.shown(), [](const auto& run) { return run.get(); });
    if (shown == all.end()) return;
    const auto next = shown - all.begin() + by;
    if (next >= 0 && next < std::ssize(all)) go(all[static_cast<std::size_t>(next)]->number);
}

void RunsController::showAt(int index) { go(at(index).run->number); }

void RunsController::go(int number) {
    if (runs_.shown() && runs_.shown()->number != number && runs_.find(number)) Q_EMIT chosen(number);
}

/// The next steps of Undo are about that run, which may have to be compiled first.
void RunsController::undoTo(int number) {
    if (!runs_.find(number)) return Q_EMIT said(tr("Run %1 was removed from the list").arg(number));
    walkingTo_ = number;
    whatIf_->holdUndo(true);
    Q_EMIT chosen(number);
}

void RunsController::leave() {
    if (Run* run = runs_.shown()) run->whatIf = whatIf_->left();
}

void RunsController::follow(int before) {
    const int shown = runs_.shown()->number;
    const bool walked = std::exchange(walkingTo_, 0) == shown;
    whatIf_->holdUndo(false);
    compare_->setRunName(runs_.shown()->name());
    if (runs_.find(before) && before != shown && !walked)
        whatIf_->undoStack()->push(new RunChange(before, shown, [this](int number) { undoTo(number); }));
    refresh();
    if (const int other = std::exchange(compareWith_, 0)) compareShownWith(other);
}

void RunsController::giveUp() {
    walkingTo_ = compareWith_ = 0;
    whatIf_->holdUndo(false);
}

// --- the list ---

RunRow RunsController::rowOf(const Run& run) const {
    RunRow row{.name = run.name(), .changed = run.changed, .verdict = verdictOf(run)};
    row.options = run.options.partition;
    row.partition = run.session ? run.session->record()->partition : nullptr;
    row.costs = run.costs;
    if (run.results.timed) row.measured = measuredFigures(*run.results.timed);
    row.shown = &run == runs_.shown() && !whatIf_->notCompiled();
    return row;
}

void RunsController::refresh() {
    const std::vector<Variant>& variants = whatIf_->variants()->list();
    if (Run* run = runs_.shown(); run && !variants.empty()) run->costs = variants.front().figures;
    rows_.clear();
    std::vector<RunRow> shown;
    std::vector<RunMark> marks;
    int own = -1;
    for (const auto& run : runs_.all()) {
        if (run.get() == runs_.shown()) own = static_cast<int>(rows_.size());
        rows_.push_back({run.get(), -1});
        shown.push_back(rowOf(*run));
        if (run.get() == runs_.shown() || !run->costs) continue;
        const RunRow& row = shown.back();
        marks.push_back({run->number, QString::number(run->number), row.name + u'\n' + row.changed,
                         row.measured ? row.measured->ms() : run->costs->ms(), run->costs->savedBytes,
                         run->costs->peakBytes, row.measured.has_value()});
    }
    for (int i = 1; i < static_cast<int>(variants.size()); ++i) {
        rows_.push_back({nullptr, i});
        shown.push_back(runRowOf(variants[static_cast<std::size_t>(i)]));
        shown.back().shown = i == whatIf_->variants()->shown();
    }
    panel_->showRows(shown, own);
    QStringList names;
    for (const RunRow& row : shown)
        if (row.compiled) names << (row.changed.isEmpty() ? row.name : row.name + QStringLiteral(": ") + row.changed);
    Q_EMIT listed(names, own);
    whatIf_->variants()->setRuns(std::move(marks));
    const auto& all = runs_.all();
    actions_.front()->setEnabled(own > 0);
    actions_.back()->setEnabled(own >= 0 && own + 1 < std::ssize(all));
}

void RunsController::show(int row) {
    if (at(row).run == runs_.shown() && whatIf_->notCompiled()) return whatIf_->variants()->show(0);
    at(row).run ? go(at(row).run->number) : whatIf_->variants()->show(at(row).variant);
}

void RunsController::compare(int before, int after) {
    const Row &first = at(before), &second = at(after);
    // The open run among variants: its partition.
    const auto variantOf = [](const Row& row) { return row.run ? 0 : row.variant; };
    if (!first.run || !second.run) return whatIf_->variants()->compare(variantOf(first), variantOf(second));
    if (second.run == runs_.shown()) return compareShownWith(first.run->number);
    compareWith_ = first.run->number;
    Q_EMIT chosen(second.run->number);
}

void RunsController::compareShownWith(int number) {
    const auto run = runs_.find(number);
    if (!run) return;
    compare_->compareWithRun(run->session, withCodeOf(run->options, runs_.shown()->options), run->name());
}

RunsController::Chosen RunsController::chosenIn(const std::vector<int>& rows) const {
    Chosen chosen;
    for (const int row : rows)
        if (at(row).run) chosen.runs.push_back(at(row).run->number);
        else chosen.variants.push_back(at(row).variant);
    return chosen;
}

void RunsController::remove(const std::vector<int>& rows) {
    const auto [runs, variants] = chosenIn(rows);
    for (const int number : runs) runs_.remove(number);
    if (!variants.empty()) whatIf_->variants()->remove(variants);
    refresh();
    Q_EMIT changed();
}

// --- measuring ---

void RunsController::measure(const std::vector<int>& rows) {
    const auto [runs, variants] = chosenIn(rows);
    toMeasure_.insert(toMeasure_.end(), runs.begin(), runs.end());
    if (!variants.empty()) whatIf_->variants()->measure(variants);
    if (!measuring_.running()) measureNext();
}

/// As Time does for the shown one.
void RunsController::measureNext() {
    if (toMeasure_.empty()) return;
    const auto run = runs_.find(toMeasure_.front());
    toMeasure_.pop_front();
    if (!run) return measureNext();
    measuring_.start<TimingResult>(
        tr("Measuring %1").arg(run->name()),
        [engine = engine_, options = withCodeOf(run->options, runs_.shown()->options), session = run->session,
         shown = runs_.shown()->session](const Progress& progress) {
            return (session ? session : engine->open(options, progress, shown))->time({kMeasuredRuns}, progress);
        },
        [this, number = run->number](const TimingResult& timing) {
            Q_EMIT measured(number, timing);
            measureNext();
        });
}

}  // namespace aotscope
