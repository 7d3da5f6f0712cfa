#include "window/session_handover.h"

#include "record/model_kind.h"

namespace aotscope {

SessionHandover::SessionHandover(Workbench& bench, const Controllers& controllers)
    : QObject(bench.window),
      bench_(bench),
      all_(controllers),
      file_(new SessionController(bench.window, [this] { return resultsToSave(); })),
      guard_(new CloseGuard(file_, bench.window)),
      recovery_(
          new RecoveryController(bench.window, [this] { return !bench_.run.session() && !all_.runs->running(); })) {
    connectSignals();
}

void SessionHandover::connectSignals() {
    connect(file_, &SessionController::failed, all_.runs, &RunController::reportFailure);
    connect(file_, &SessionController::savedTo, bench_.status, &StatusLine::sayWritten);
    connect(recovery_, &RecoveryController::openRequested, this,
            [this](const QString& file) { all_.runs->openModel(file); });
    connect(all_.whatIf->variants(), &VariantController::changed, file_, &SessionController::touch);
    connect(all_.canvas, &CanvasController::bookmarksChanged, file_, &SessionController::touchMarks);
    connect(all_.navigation->breakpoints()->panel(), &BreakpointPanel::changed, file_, &SessionController::touchMarks);
    connect(all_.navigation->colours(), &ColourController::overlayOpened, file_, &SessionController::touchMarks);
}

void SessionHandover::take(const QString& opened, const std::optional<FileState>& read) {
    ShownRun& run = bench_.run;
    if (!RecoveryFile::contains(opened) && !isScript(opened.toStdString())) bench_.settings.addRecentModel(opened);
    file_->setSession(run.session(), opened, read);
    if (auto left = left_.extract(opened)) viewToRestore_ = std::move(left.mapped());
    const SessionContent* saved = run.session()->saved();
    Run& shown = *run.runs.shown();
    const bool isNew = shown.parent == 0 && run.runs.all().size() == 1 && !shown.results.any();
    if (!saved || !isNew) return;
    shown.results = {saved->timing, saved->check, saved->bisect, saved->training, {}};
    shown.parent = saved->parent;
    run.runs.take(saved->runs, saved->number);
    viewToRestore_ = sessionViewFrom(saved->view, run.session()->record().get());
}

void SessionHandover::leave() {
    file_->leave();
    SessionView left = view();
    left.colour.clear();  // a preference, whatever the model
    left_.insert_or_assign(toQString(bench_.run.session()->options().model), std::move(left));
}

void SessionHandover::close(const QString& opened) {
    file_->close(opened);
    left_.erase(opened);
}

AddResults SessionHandover::resultsToSave() const {
    SessionView shown = view();
    shown.file = file_->file();
    const ShownRun& run = bench_.run;
    const Run* own = run.runs.shown();
    return [check = run.results().checked, bisect = run.results().bisected, timing = run.results().timed,
            training = run.results().trained, number = own ? own->number : 0, parent = own ? own->parent : 0,
            runs = run.runs.others(), variants = all_.whatIf->variants()->kept(),
            sweep = all_.whatIf->variants()->swept(), view = sessionViewJson(shown)](SessionContent& content) {
        content.check = check;
        content.bisect = bisect;
        content.timing = timing;
        content.training = training;
        content.variants = variants;
        content.sweep = sweep;
        content.number = number;
        content.parent = parent;
        content.runs = runs;
        content.view = view;
    };
}

SessionView SessionHandover::view() const {
    SessionView view;
    const GraphPane* pane = bench_.pane();
    view.place = all_.canvas->place();
    if (const Page* front = bench_.pages->front()) view.table = front->name;
    const auto record = bench_.run.session() ? bench_.run.session()->record() : nullptr;
    const bool snapshot = record && record->graph(pane->kind()) != pane->graph();
    if (snapshot) view.pass = bench_.passes->currentPass();
    const ColourController* colours = all_.navigation->colours();
    view.colour = colours->by() ? name(*colours->by()) : name(pane->view()->paintOptions().colourBy);
    if (colours->by() == ColourBy::overlay) view.overlay = colours->overlay();
    view.bookmarks = all_.canvas->bookmarks();
    const BreakpointPanel* breakpoints = all_.navigation->breakpoints()->panel();
    view.breakpoints = breakpoints->breakpoints();
    view.valueBreakpoints = breakpoints->conditions();
    return view;
}

/// The graph at once, the place in it when its picture is ready.
void SessionHandover::restoreView() {
    if (!viewToRestore_) return;
    const SessionView view = *std::exchange(viewToRestore_, std::nullopt);
    const auto record = bench_.run.session()->record();
    if (const Page* page = bench_.pages->find(view.table)) bench_.pages->show(page->widget);
    if (view.pass >= 0 && view.pass < static_cast<int>(record->passes.size())) bench_.passes->setCurrentPass(view.pass);
    else if (record->graph(view.place.graph)) bench_.pane()->showKind(view.place.graph);
    all_.canvas->show(view.place, tr("the saved view"));
    all_.canvas->setBookmarks(view.bookmarks.value_or(Bookmarks()));
    BreakpointPanel* breakpoints = all_.navigation->breakpoints()->panel();
    if (view.breakpoints) breakpoints->setBreakpoints(*view.breakpoints);
    if (view.valueBreakpoints) breakpoints->setConditions(*view.valueBreakpoints);
    for (const QString& sentence : view.refused) bench_.report(ProblemsPanel::Kind::warning, sentence);
    restoreColours(view);
}

void SessionHandover::restoreColours(const SessionView& view) {
    if (view.overlay) return all_.navigation->colours()->showOverlay(view.overlay);
    if (view.colour.isEmpty() || view.colour == name(ColourBy::overlay)) return;
    // The name comes from the file: the colour mode may not exist.
    if (auto* action = bench_.window->findChild<QAction*>(QStringLiteral("colourBy-") + view.colour)) action->trigger();
}

}  // namespace aotscope
