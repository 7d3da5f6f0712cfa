#include "controllers/graphs/compare_controller.h"

#include "canvas/drawn_graph.h"
#include "controllers/make_action.h"
#include "io/ranks/ranks_text.h"
#include "io/tables/rank_tables.h"
#include "load/trace_log/rank_logs.h"
#include "models/release.h"
#include "record/model_kind.h"
#include "session/ranks/compared_ranks.h"

#include <QFileDialog>
#include <QFileInfo>

#include <utility>

namespace aotscope {

namespace {

constexpr int kComparedRuns = 20;

/// Whether the session comes from a folder: of logs if on another machine, which it then names by their ranks.
bool isOfFolder(const Session& session) {
    const std::string& model = session.options().model;
    if (!isRemote(model)) return QFileInfo(toQString(model)).isDir();
    const auto ids = session.compileIds();
    return session.trace() &&
           std::ranges::any_of(ids, [](const std::string& id) { return id.find(':') != std::string::npos; });
}

}  // namespace

CompareController::CompareController(const Surroundings& around, SecondaryGraphController* secondary)
    : Controller(around),
      secondary_(secondary),
      panel_(new TablePair({QStringLiteral("comparedRuns"), tr("Differences between the two runs")},
                           {QStringLiteral("comparedNodes"), tr("The selected operation in both runs")}, 50, window_)) {
    stop_ = makeAction(this, QStringLiteral("actionStopComparing"), tr("&Stop Comparing"), {tr("Ctrl+Shift+D")},
                       tr("Closes the other run and shows levels of this run beside it again"), [this] { stop(); });
    time_ = makeAction(this, QStringLiteral("actionTimeBoth"), tr("Time &Both Runs"), {tr("Ctrl+Shift+T")},
                       tr("Times both runs interleaved and reports their ratio"), [this] { time(); });
    actions_ = {
        makeAction(this, QStringLiteral("actionCompareWith"), tr("Compare &With…"), {tr("Ctrl+D")},
                   tr("Opens another model or session beside this run and lists the differences"), [this] { ask(); }),
        makeAction(this, QStringLiteral("actionKeepRun"), tr("&Keep This Run for Comparison"), {tr("Shift+D")},
                   tr("Keeps this run as the baseline for runs with other options"), [this] { keep(); }),
        makeAction(this, QStringLiteral("actionCompareRanks"), tr("Compare &Ranks…"), {tr("Ctrl+Alt+W")},
                   tr("Compares this run with other ranks of its program: graphs, collectives, saved values"),
                   [this] { askForRanks(); }),
        stop_};
    enableWhatApplies();
    forward(&job_);
    connect(&comparing_, &BackgroundJob::failed, this, &CompareController::failed);
    connect(secondary_, &SecondaryGraphController::followed, this, &CompareController::follow);
    connect(panel_->left()->view(), &QTableView::activated, this,
            [this](const QModelIndex& index) { activate(panel_->left()->sourceRow(index)); });
    connect(panel_->left()->view()->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (ranks_ && index.isValid()) followRanks(panel_->left()->sourceRow(index));
            });
    refresh();
}

void CompareController::setSession(const std::shared_ptr<const Session>& session) {
    // Another compilation of the same log is already compared.
    const bool same = session && session_ && session->options().model == session_->options().model &&
                      session->compileIds().size() > 1;
    if (!same) ranks_.reset();
    session_ = session;
    timing_.reset();
    recompilations_.clear();
    enableWhatApplies();
    compareInBackground();
    refresh();
}

void CompareController::setRecompilations(std::vector<Recompilation> recompilations) {
    recompilations_ = std::move(recompilations);
    refresh();
}

void CompareController::activate(int row) {
    if (!ranks_) return showCompilation(row);
    const auto difference = rankRows_[static_cast<std::size_t>(row)];
    if (!difference) return;
    const std::string& id = ranks_->differences[*difference].compile;
    const std::string wanted = ownRank().prefix + id;
    if (!id.empty() && wanted != session_->options().compileId) Q_EMIT compileAsked(toQString(wanted));
}

/// The first row is the open run itself.
void CompareController::showCompilation(int row) {
    if (comparing() || row < 1 || static_cast<std::size_t>(row) > recompilations_.size()) return;
    showBeside(recompilations_[static_cast<std::size_t>(row) - 1].record, tr("compilation %1").arg(row),
               Baseline::shown);
}

void CompareController::enableWhatApplies() {
    for (QAction* action : actions_) action->setEnabled(session_ && (action != stop_ || comparing() || ranks_));
    time_->setEnabled(session_ && comparing());
}

std::string CompareController::whyNotTimed() const {
    if (!other_)
        return name_.toStdString() +
               " was made for other inputs, and only its graphs were kept: nothing can be timed; run the model with "
               "those inputs, and keep that run (Shift+D)";
    const std::string here = session_->whyNotExecutable();
    return here.empty() ? other_->whyNotExecutable() : here;
}

void CompareController::ask() {
    const QString path = QFileDialog::getOpenFileName(window_, tr("Compare With"));
    if (!path.isEmpty()) compareWith(path);
}

void CompareController::compareWith(const QString& model) {
    if (!session_) return;
    Options options = session_->options();
    options.model = model.toStdString();
    options.compileId.clear();
    if (options.model != session_->options().model) {
        options.inputs = {};
        options.allow = allowed_;
    }
    compileToCompare(options, model, [this](const std::shared_ptr<const Session>& other) {
        compareWithModel(other, toQString(other->record()->model.name));
    });
}

void CompareController::compareWithModel(const std::shared_ptr<const Session>& model, const QString& name) {
    ofOneModel_ = false;
    take(model, name, Baseline::shown);
}

void CompareController::compareWithRun(const std::shared_ptr<const Session>& run, const Options& options,
                                       const QString& name) {
    const auto takeRun = [this, name](const std::shared_ptr<const Session>& other) {
        ofOneModel_ = true;
        take(other, name, Baseline::beside);
        Q_EMIT shown();
    };
    if (run) return takeRun(run);
    compileToCompare(options, name, takeRun);
}

template <typename Take>
void CompareController::compileToCompare(const Options& options, const QString& name, Take take) {
    job_.start<std::shared_ptr<const Session>>(
        tr("Compiling %1 to compare with it").arg(name),
        [engine = engine_, options](const Progress& progress) {
            auto other = engine->open(options, progress);
            if (const auto& error = other->record()->error; !error.empty())
                throw Error(other->record()->model.name + ": " + error);
            return other;
        },
        take);
}

/// All logs of a folder are listed.
void CompareController::askForRanks() {
    if (isOfFolder(*session_)) return compareRanks({});
    const QString folder = QFileInfo(toQString(session_->options().model)).path();
    const QStringList files = QFileDialog::getOpenFileNames(window_, tr("Compare Ranks"), folder);
    if (!files.isEmpty()) compareRanks(files);
}

void CompareController::compareRanks(const QStringList& files) {
    if (!session_) return;
    Options options = session_->options();
    options.compileId.clear();
    std::vector<std::string> ranks;
    for (const QString& file : files) ranks.push_back(file.toStdString());
    auto own = std::ranges::find(ranks, options.model);
    if (own == ranks.end()) own = ranks.insert(ranks.begin(), options.model);
    const auto place = static_cast<std::size_t>(own - ranks.begin());
    job_.start<RankComparison>(
        tr("Comparing ranks"),
        [engine = engine_, ranks, options](const Progress& progress) {
            return compareRankFiles(ranks, options, *engine, progress);
        },
        [this, place](RankComparison comparison) {
            if (comparing()) stop();
            ranks_ = std::move(comparison);
            own_ = place;
            enableWhatApplies();
            refresh();
            Q_EMIT shown();
        });
}

/// In a folder of logs, "1:0/0" is compilation 0/0 of rank 1; the shown log may be of no rank.
CompareController::OwnRank CompareController::ownRank() const {
    const std::string prefix = session_->rankPrefix();
    OwnRank own{own_, prefix, session_->options().compileId.substr(prefix.size())};
    const auto log = session_->trace();
    if (!log || !isOfFolder(*session_)) return own;
    const auto names = logNames({log});
    const auto found = std::ranges::find(ranks_->ranks, names.front());
    own.place = found == ranks_->ranks.end() ? 0 : static_cast<std::size_t>(found - ranks_->ranks.begin());
    if (found != ranks_->ranks.end()) return own;
    const std::string& first = ranks_->ranks.front();
    return {0, first.substr(first.rfind(' ') + 1) + ":", {}};
}

/// Shows what both have at the first difference.
void CompareController::showRanks() {
    const OwnRank own = ownRank();
    auto table = rankComparisonTable(*ranks_, *session_->record(), own.place, own.compile);
    rankRows_ = std::move(table.differences);
    panel_->left()->setContent(std::move(table.content));
    const auto first = std::ranges::find_if(rankRows_, [](const auto& row) { return row.has_value(); });
    const auto row = first == rankRows_.end() ? 0 : static_cast<int>(first - rankRows_.begin());
    panel_->left()->selectRow(row);
    followRanks(row);
}

void CompareController::followRanks(int row) {
    const auto difference = rankRows_[static_cast<std::size_t>(row)];
    TableContent content;
    if (difference) {
        const RankDifference& chosen = ranks_->differences[*difference];
        content = contentOf(rankPlaceTable(chosen, ranks_->ranks));
        content.summary = toQString(headline(chosen));
    } else content.whenEmpty = tr("The same on all ranks.");
    panel_->right()->setContent(std::move(content));
}

void CompareController::keep() {
    ofOneModel_ = false;
    if (session_) take(session_, tr("%1, kept").arg(nameHere()), Baseline::beside);
}

void CompareController::time() {
    if (!time_->isEnabled()) return;
    if (const std::string why = whyNotTimed(); !why.empty()) return Q_EMIT failed(std::make_exception_ptr(Error(why)));
    Q_EMIT shown();
    job_.start<VariantTiming>(
        tr("Timing %1 and %2, interleaved").arg(nameHere(), name_),
        [first = baseline_ == Baseline::shown ? session_ : other_,
         second = baseline_ == Baseline::shown ? other_ : session_](const Progress& progress) {
            return first->timeAgainst(*second, {kComparedRuns}, progress);
        },
        [this](VariantTiming timing) {
            timing_ = std::move(timing);
            refresh();
        });
}

void CompareController::take(std::shared_ptr<const Session> other, const QString& name, Baseline baseline) {
    ranks_.reset();
    releaseInBackground(std::exchange(other_, std::move(other)));
    showBeside(other_->record(), name == nameHere() ? tr("%1 (2)").arg(name) : name, baseline);
}

void CompareController::showBeside(std::shared_ptr<const CompileRecord> there, const QString& name, Baseline baseline) {
    there_ = std::move(there);
    name_ = name;
    baseline_ = baseline;
    timing_.reset();
    enableWhatApplies();
    secondary_->compareWith(there_);
    compareInBackground();
    refresh();
    Q_EMIT comparingChanged(true);
}

void CompareController::stop() {
    job_.cancel();
    comparing_.cancel();
    releaseInBackground(std::exchange(other_, nullptr));
    there_.reset();
    ranks_.reset();
    timing_.reset();
    enableWhatApplies();
    secondary_->compareWith(nullptr);
    refresh();
    Q_EMIT comparingChanged(false);
}

ComparedPair CompareController::pair() const {
    if (baseline_ == Baseline::shown) return {session_->record(), there_, nameHere(), name_, false};
    return {there_, session_->record(), name_, nameHere(), true};
}

/// Takes a while for large runs. A recompilation has the options of the open run.
void CompareController::compareInBackground() {
    comparing_.cancel();
    difference_.reset();
    if (!there_ || !session_) return;
    const ComparedPair runs = pair();
    const Options &here = session_->options(), &there = other_ ? other_->options() : here;
    const bool shownFirst = baseline_ == Baseline::shown;
    comparing_.start<RunDifference>(
        tr("Comparing"),
        [runs, first = shownFirst ? here : there, second = shownFirst ? there : here](const Progress&) {
            return compare(comparedRun(first, runs.baseline), comparedRun(second, runs.other));
        },
        [this](RunDifference difference) {
            difference_ = std::move(difference);
            refresh();
        });
}

QString CompareController::nameHere() const {
    return ofOneModel_ ? runName_ : toQString(session_->record()->model.name);
}

void CompareController::refresh() {
    if (ranks_) return showRanks();
    TableContent runs;
    runs.whenEmpty = tr("Ctrl+D compares this run with another model or session; Shift+D keeps it for later runs.");
    const bool both = there_ && session_;
    pane_->setRunName(both ? nameHere() : QString());
    secondary_->pane()->setRunName(both ? name_ : QString());
    if (both) runs = runDifferenceTable(pair(), difference_ ? &*difference_ : nullptr, timing_ ? &*timing_ : nullptr);
    else if (session_ && !recompilations_.empty()) runs = compilationsTable(*session_->record(), recompilations_);
    panel_->left()->setContent(std::move(runs));
    follow();
}

void CompareController::follow() {
    if (ranks_) return;
    if (!there_ || !session_) return panel_->right()->setContent({});
    const auto& there = secondary_->pane()->graph();
    const Node* counterpart = there ? findNode(*there, secondary_->pane()->view()->selectedNode()) : nullptr;
    panel_->right()->setContent(nodePairTable(selection_->object(), counterpart, nameHere(), name_));
}

}  // namespace aotscope
