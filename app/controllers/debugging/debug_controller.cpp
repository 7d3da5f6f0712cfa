#include "controllers/debugging/debug_controller.h"

#include "io/python/text.h"
#include "models/release.h"
#include "models/words/node_words.h"

#include <QApplication>
#include <QClipboard>

#include <algorithm>
#include <utility>

namespace aotscope {

namespace {

using Reason = DebugStop::Reason;

/// A value or a node was found, not just the requested place reached.
bool hasFound(const DebugStop& stop) {
    const Reason why = stop.reason;
    return why == Reason::breakpoint || why == Reason::difference || why == Reason::notFinite || why == Reason::failed;
}

}  // namespace

DebugController::DebugController(const Surroundings& around, BreakpointPanel* breakpoints)
    : Controller(around),
      panel_(new ValuePanel(window_)),
      steps_(new StepPanel(window_)),
      breakpoints_(breakpoints),
      toolBar_(new QToolBar(tr("Debug"), window_)) {
    makeActions();
    connectSignals();
    enable();
    sayWhereItStands();
}

void DebugController::connectSignals() {
    connect(&job_, &BackgroundJob::failed, this, &DebugController::onFailure);
    connect(&job_, &BackgroundJob::stageEntered, this, [this](const QString& stage) {
        if (!commanding_) return;
        stage_ = stage;
        sayWhereItStands();
        Q_EMIT stageEntered(stage);
    });
    connect(&job_, &BackgroundJob::finished, this, [this] {
        if (commanding_) Q_EMIT finished();
    });
    connect(pane_, &GraphPane::graphChanged, this, [this] { mark(false); });
    connect(pane_, &GraphPane::layoutFinished, this, [this] { mark(std::exchange(follow_, false)); });
    connect(selection_, &Selection::changed, this, [this] {
        enable();
        if (const auto value = selected()) steps_->select(value->graph, value->node);
        look();
    });
    const auto select = [this](NodeId node, GraphKind graph) {
        if (!pane_->graph() || !pane_->graph()->findById(node)) pane_->showKind(graph);
        selection_->select(node);
    };
    connect(panel_, &ValuePanel::nodeSelected, this, select);
    connect(steps_, &StepPanel::nodeSelected, this, select);
    connect(steps_, &StepPanel::rowsSeen, this, [this] {
        if (!steps_->wanted().empty()) look();
    });
    connect(panel_, &ValuePanel::watchRequested, this, &DebugController::watch);
    connect(panel_, &ValuePanel::unwatchRequested, this, &DebugController::unwatch);
    connect(panel_, &ValuePanel::leadingChanged, this, &DebugController::look);
    connect(panel_, &ValuePanel::editRequested, this, &DebugController::edit);
    connect(panel_, &ValuePanel::countChanged, this, &DebugController::restart);
    connect(panel_, &ValuePanel::rankChosen, this, &DebugController::showRank);
}

// --- running ---

void DebugController::setSession(const std::shared_ptr<const Session>& session) {
    stop();
    const bool same = session_ && session && session_->options().model == session->options().model;
    session_ = session;
    record_ = session_ ? session_->record() : nullptr;
    offerRanks(same);
    enable();
    sayWhereItStands();
}

/// The user's choice stays while the model is open.
void DebugController::offerRanks(bool sameModel) {
    const bool chosen = sameModel && panel_->rankCount() != offered_.count;
    offered_ = session_ ? rankChoiceOf(*session_) : RankChoice();
    const bool stays = chosen && offered_.communicates && offered_.whyAlone.empty();
    panel_->setRankCount(offered_.communicates, stays ? panel_->rankCount() : offered_.count,
                         toQString(offered_.whyAlone));
}

void DebugController::start() {
    if (!session_ || run_.run) return;
    commanding_ = true;
    toolBar_->show();
    bringForward();
    Q_EMIT started(tr("Starting the debugger"));
    job_.start<StartedRun>(
        tr("Starting the debugger"),
        [engine = engine_, session = session_, count = panel_->rankCount()](const Progress& progress) {
            return startRun(*engine, *session, count, progress);
        },
        [this](StartedRun started) {
            steps_->setSteps(record_, std::move(started.steps));
            run_ = std::move(started.ranks);
            rank_ = run_.run->state().shown;
            panel_->setRanks(run_.alike);
            run(tr("Starting the debugger"), comparison());
        });
    enable();
    sayWhereItStands();
}

/// With another number of ranks.
void DebugController::restart() {
    if (!run_.run && !commanding_) return;
    stop();
    start();
}

void DebugController::bringForward() {
    Q_EMIT valuesAsked();
    Q_EMIT stepsAsked();
}

void DebugController::setReachable(bool reachable) {
    const bool before = std::exchange(reachable_, reachable);
    lost_ = lost_ || (!reachable && run_.run);
    if (reachable && !before && !lost_) look();
}

void DebugController::startAgain() {
    if (!run_.run || !state_ || !lost_) return;
    commanding_ = again_ = true;
    const QString title = tr("Starting the debugger again");
    Q_EMIT started(title);
    job_.start<StartedRun>(
        title,
        [engine = engine_, session = session_, count = run_.alike.size(),
         there = DebugState(*state_)](const Progress& progress) {
            StartedRun started = startRun(*engine, *session, count, progress);
            started.ranks.run->show(there.shown);
            started.ranks.run->execute({.verb = DebugVerb::goTo, .places = there.ranks}, progress);
            return started;
        },
        [this, title](StartedRun started) {
            releaseInBackground(std::exchange(run_, std::move(started.ranks)));
            lost_ = false;
            run(title, comparison());
        });
    enable();
    sayWhereItStands();
}

/// Ends the run.
void DebugController::stop() {
    if (run_.run || commanding_) toolBar_->hide();
    job_.cancel();
    commanding_ = follow_ = again_ = lost_ = false;
    releaseInBackground(std::exchange(run_, {}));
    panel_->setRanks({});
    state_.reset();
    stage_.clear();
    watched_.clear();
    panel_->setWatches({});
    panel_->clearValue();
    steps_->setSteps(nullptr, {});
    breakpoints_->showHits({});
    pane_->view()->setCurrent(kNoNode, false);
    enable();
    sayWhereItStands();
}

void DebugController::cancel() {
    if (!commanding_) return;
    job_.cancel();
    if (!run_.run) return stop();
    // A cancelled command ends first; then its position is queried.
    readState(tr("Stopping"));
}

void DebugController::run(const QString& title, const DebugCommand& command) {
    run(title, [command](Debugger& d, const Progress& p) { d.execute(command, p); });
}

/// Breakpoints may have changed since the last command.
void DebugController::run(const QString& title, const Job& job, bool withBreakpoints) {
    if (!run_.run) return;
    if (lost_ && withBreakpoints)
        return onFailure(std::make_exception_ptr(Error("the debugger's engine is gone; start it again, or reconnect")));
    commanding_ = true;
    state_.reset();
    stage_.clear();
    Q_EMIT started(title);
    job_.start<State>(
        title,
        [run = run_, rank = rank_, job, withBreakpoints,
         breakpoints = breakpoints_->conditions()](const Progress& progress) {
            Debugger& debugger = *run.run;
            if (withBreakpoints && debugger.state().breakpoints != breakpoints) debugger.setBreakpoints(breakpoints);
            debugger.show(rank);
            job(debugger, progress);
            return State{keepInView(run, rank), whereRanksAre(debugger)};
        },
        [this](const State& state) { show(state); });
    enable();
    sayWhereItStands();
}

/// After a failure: do not run into a permanent one again.
void DebugController::readState(const QString& title) {
    run(
        title, [](Debugger&, const Progress&) {}, false);
}

void DebugController::runToSelection() {
    const auto node = selected();
    if (!node) return;
    bringForward();
    run(tr("Running to %1").arg(node->name), DebugCommand{DebugVerb::runTo, node->graph, node->node});
}

DebugController::Job DebugController::comparison() const {
    switch (reference_) {
        case DebugReference::eager: return [](Debugger& d, const Progress& p) { d.compareWithEager(p); };
        case DebugReference::otherPartition:
            return [engine = engine_, session = session_, count = run_.alike.size()](Debugger& d, const Progress& p) {
                d.execute({.verb = DebugVerb::compareWith,
                           .other = startRun(*engine, *otherPartition(*engine, session, p), count, p).ranks.run},
                          p);
            };
        case DebugReference::none: break;
    }
    return [](Debugger& d, const Progress& p) { d.execute({.verb = DebugVerb::stopComparing}, p); };
}

void DebugController::compare(DebugReference reference) {
    reference_ = reference;
    run(tr("Computing reference values"), comparison());
}

/// Reports how far the run has come.
void DebugController::onFailure(const std::exception_ptr& error) {
    const bool command = std::exchange(commanding_, false);
    again_ = command;
    Q_EMIT failed(error);
    if (!run_.run) return stop();
    if (command) readState(tr("Reading the state of the run"));
}

// --- what is shown ---

void DebugController::show(const State& state) {
    commanding_ = false;
    state_ = state;
    if (rank_ != state.shown) steps_->model().forgetFacts();
    rank_ = state.shown;
    panel_->setShownRank(rank_);
    const bool found = hasFound(state.stop);
    steps_->setPosition(state.position());
    std::map<std::string, int> hits;
    for (std::size_t i = 0; i < std::min(state.breakpoints.size(), state.hits.size()); ++i)
        if (state.breakpoints[i].enabled) hits[state.breakpoints[i].condition] = state.hits[i];
    breakpoints_->showHits(hits);
    showGraph(found);
    follow_ = pane_->layoutRunning();
    mark(true);
    const bool stays = std::exchange(again_, false);
    if (!stays && pane_->graph() && state.stop.node != kNoNode && pane_->graph()->findById(state.stop.node)) {
        selection_->select(state.stop.node);
        if (found) pane_->reveal(state.stop.node);
    }
    enable();
    sayWhereItStands();
    look();
}

/// The joint graph, which shares its nodes with forward and backward, and one of these two.
bool DebugController::showsWholeGraph() const {
    return record_ && pane_->kind() == GraphKind::joint && pane_->graph() == record_->graph(GraphKind::joint) &&
           !pane_->showsNetwork();
}

/// The graph of the next node, or of the one that was found; the joint graph serves for both.
void DebugController::showGraph(bool found) {
    if (!showsWholeGraph()) pane_->showKind(found ? state_->stop.graph : state_->position().graph);
}

void DebugController::mark(bool follow) {
    const bool here = state_ && (showsWholeGraph() || (pane_->graph() == record_->graph(state_->position().graph) &&
                                                       pane_->kind() == state_->position().graph));
    pane_->view()->setCurrent(here ? state_->position().node : kNoNode, follow);
}

/// The selected node, if the run computes it; for a node of the joint graph, preferably that of the current half.
std::optional<ShownValue> DebugController::selected() const {
    const Node* node = selection_->object();
    if (!record_ || !node || selection_->run()) return std::nullopt;  // an operator runs its subgraphs in one step
    const std::vector<GraphKind> executed = executedGraphs(*record_);
    std::vector<GraphKind> halves{pane_->kind()};
    if (showsWholeGraph()) halves = executed;
    if (showsWholeGraph() && state_ && state_->position().graph == GraphKind::backward)
        std::swap(halves.front(), halves.back());
    for (const GraphKind half : halves) {
        const auto graph = std::ranges::count(executed, half) ? record_->graph(half) : nullptr;
        const bool own = graph && (showsWholeGraph() || graph == selection_->graph());
        if (own && graph->findById(node->id())) return ShownValue{half, node->id(), shownName(*node), {}};
    }
    return std::nullopt;
}

/// Shows the details of this rank, of those that are stepped together.
void DebugController::showRank(std::size_t rank) {
    if (rank == rank_) return;
    rank_ = rank;
    steps_->model().forgetFacts();
    look();
}

/// Reads the watched and the selected values, unless a command is running, which does so when it ends.
void DebugController::look() {
    if (!run_.run || commanding_ || !reachable_) return;
    job_.start<SeenValues>(
        tr("Values"),
        [run = run_, rank = rank_,
         wanted = WantedValues{watched_, selected(), panel_->leading(), steps_->wanted(), record_}](
            const Progress& progress) {
            run.run->show(rank);
            return seeValues(run, wanted, progress);
        },
        [this](const SeenValues& seen) { showSeen(seen); });
}

void DebugController::showSeen(const SeenValues& seen) {
    const bool another = state_ && state_->shown != rank_;
    if (another) {
        state_->shown = rank_;
        steps_->setPosition(state_->position());
        mark(false);
        sayWhereItStands();
    }
    steps_->model().setFacts(seen.steps);
    if (another && !steps_->wanted().empty())
        QMetaObject::invokeMethod(this, &DebugController::look, Qt::QueuedConnection);
    std::vector<ShownValue> rows = seen.watched;
    const auto isSelected = [&](const ShownValue& value) {
        return seen.selected && value.node == seen.selected->node && value.graph == seen.selected->graph;
    };
    if (seen.selected && std::ranges::none_of(rows, isSelected)) rows.insert(rows.begin(), *seen.selected);
    panel_->setWatches(rows);
    if (!seen.selected) return panel_->clearValue();
    panel_->showValue(*seen.selected, seen.image);
}

void DebugController::sayWhereItStands() {
    const QString sentence = whereItStands();
    panel_->setState(sentence);
    steps_->setState(sentence);
}

QString DebugController::whereItStands() const {
    if (commanding_) return stage_.isEmpty() ? tr("Running…") : tr("Running: %1").arg(stage_);
    if (!state_) {
        const QString why = session_ ? toQString(session_->whyNotExecutable()) : QString();
        return !why.isEmpty() ? why
                              : tr("Not started. Debug › Run Node by Node (Shift+F5) runs the compiled graphs and "
                                   "pauses at breakpoints.");
    }
    const DebugPosition& position = state_->position();
    const DebugStop& stop = state_->stop;
    const QString text = toQString(stop.text);
    const QString places = toQString(state_->positions).trimmed();
    QString others = places.isEmpty() ? QString() : u'\n' + places;
    for (const std::string& note : state_->notes) others += tr("\nNote: %1").arg(toQString(note));
    if (position.ended() && !hasFound(stop)) return tr("Ended: %1.").arg(text) + others;
    return tr("Paused in %1, step %2 of %3: %4.")
               .arg(toQString(name(position.graph)))
               .arg(position.ended() ? position.steps : position.step + 1)
               .arg(position.steps)
               .arg(text) +
           others;
}

// --- values and breakpoints ---

void DebugController::watch() {
    const auto value = selected();
    if (!value) return;
    const auto same = [&](const ShownValue& w) { return w.node == value->node && w.graph == value->graph; };
    if (std::ranges::none_of(watched_, same)) watched_.push_back(*value);
    Q_EMIT valuesAsked();
    look();
}

void DebugController::unwatch() {
    const auto marked = panel_->watches()->markedNodes();
    std::erase_if(watched_, [&](const ShownValue& w) { return std::ranges::count(marked, w.node) > 0; });
    look();
}

void DebugController::toggleBreakpoint() {
    const auto value = selected();
    if (!value) return;
    breakpoints_->toggleCondition(QStringLiteral("graph=%1 and name=%2")
                                      .arg(toQString(name(value->graph)), toQString(selection_->object()->name())));
    Q_EMIT breakpointsAsked();
}

void DebugController::edit(const QString& text) {
    const auto value = selected();
    if (!value || !state_) return;
    steps_->model().forgetFacts();
    run(tr("New value of %1").arg(value->name),
        [graph = value->graph, node = value->node, text = text.toStdString()](Debugger& d, const Progress& p) {
            editWhenThere(d, graph, node, text, p);
        });
}

/// A value or an operation is wrong.
bool DebugController::hasFinding() const {
    return state_ && hasFound(state_->stop) && state_->stop.reason != Reason::breakpoint;
}

/// Minifying runs the operation often.
void DebugController::copyFinding() {
    if (!run_.run || !hasFinding()) return;
    const bool firstNaN = state_->stop.reason == Reason::notFinite;
    job_.start<std::string>(
        tr("Copying the finding"),
        [run = run_.run, stop = state_->stop](const Progress& progress) {
            return run->callAsPython(stop.graph, stop.node, progress);
        },
        [this, options = session_->options(), sentence = state_->stop.text, firstNaN](const std::string& alone) {
            QApplication::clipboard()->setText(toQString(stopAsPython(options, sentence, firstNaN, alone)));
            Q_EMIT said(tr("The finding is copied as lines of Python"));
        });
}

}  // namespace aotscope
