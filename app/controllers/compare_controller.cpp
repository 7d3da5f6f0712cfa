#include "controllers/compare_controller.h"

#include "canvas/drawn_graph.h"
#include "controllers/make_action.h"
#include "models/compare_tables.h"

#include <QFileDialog>

namespace aotscope {

namespace {

constexpr int kComparedRuns = 20;

}  // namespace

CompareController::CompareController(SecondaryGraphController* secondary, Selection* selection, QWidget* window)
    : QObject(window),
      secondary_(secondary),
      selection_(selection),
      window_(window),
      panel_(new TablePair({QStringLiteral("comparedRuns"), tr("Differences between the two runs")},
                           {QStringLiteral("comparedNodes"), tr("The selected operation in both runs")}, 50, window)) {
    stop_ = makeAction(this, QStringLiteral("actionStopComparing"), tr("&Stop Comparing"), {tr("Ctrl+Shift+D")},
                       tr("Closes the other run and shows levels of this run beside it again"), [this] { stop(); });
    time_ = makeAction(this, QStringLiteral("actionTimeBoth"), tr("Time &Both Runs"), {tr("Ctrl+Shift+T")},
                       tr("Times both runs interleaved and reports their ratio"), [this] { time(); });
    actions_ = {
        makeAction(this, QStringLiteral("actionCompareWith"), tr("Compare &With…"), {tr("Ctrl+D")},
                   tr("Opens another model or session beside this run and lists the differences"), [this] { ask(); }),
        makeAction(this, QStringLiteral("actionKeepRun"), tr("&Keep This Run for Comparison"), {tr("Shift+D")},
                   tr("Keeps this run as the baseline for runs with other options"), [this] { keep(); }),
        stop_};
    enableWhatApplies();
    connect(&job_, &BackgroundJob::failed, this, &CompareController::failed);
    connect(&job_, &BackgroundJob::started, this, &CompareController::started);
    connect(&job_, &BackgroundJob::stageEntered, this, &CompareController::stageEntered);
    connect(&job_, &BackgroundJob::finished, this, &CompareController::finished);
    connect(secondary_, &SecondaryGraphController::followed, this, &CompareController::follow);
    connect(panel_->left()->view(), &QTableView::activated, this,
            [this](const QModelIndex& index) { showCompilation(panel_->left()->sourceRow(index)); });
    refresh();
}

CompareController::~CompareController() { job_.disconnect(this); }

void CompareController::setSession(std::shared_ptr<const Session> session) {
    session_ = std::move(session);
    timing_.reset();
    recompilations_.clear();
    enableWhatApplies();
    refresh();
}

void CompareController::setRecompilations(std::vector<Recompilation> recompilations) {
    recompilations_ = std::move(recompilations);
    refresh();
}

/// The first row is the open run itself.
void CompareController::showCompilation(int row) {
    if (comparing() || row < 1 || static_cast<std::size_t>(row) > recompilations_.size()) return;
    showBeside(recompilations_[static_cast<std::size_t>(row) - 1].record, tr("compilation %1").arg(row));
}

void CompareController::enableWhatApplies() {
    for (QAction* action : actions_) action->setEnabled(session_ && (action != stop_ || comparing()));
    time_->setEnabled(session_ && other_ && session_->whyNotExecutable().empty() && other_->whyNotExecutable().empty());
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
    const QString title = tr("Compiling %1 to compare with it").arg(model);
    job_.start<std::shared_ptr<const Session>>(
        title,
        [options](const Progress& progress) {
            auto other = Session::open(options, progress);
            if (const auto& error = other->record()->error; !error.empty())
                throw Error(other->record()->model.name + ": " + error);
            return other;
        },
        [this](const std::shared_ptr<const Session>& other) { take(other, toQString(other->record()->model.name)); });
}

void CompareController::keep() {
    if (session_) take(session_, tr("%1, kept").arg(nameHere()));
}

void CompareController::time() {
    if (!time_->isEnabled()) return;
    Q_EMIT shown();
    job_.start<VariantTiming>(
        tr("Timing %1 and %2, interleaved").arg(nameHere(), name_),
        [here = session_, there = other_](const Progress& progress) {
            return here->timeAgainst(*there, {kComparedRuns}, progress);
        },
        [this](VariantTiming timing) {
            timing_ = std::move(timing);
            refresh();
        });
}

void CompareController::take(std::shared_ptr<const Session> other, const QString& name) {
    other_ = std::move(other);
    showBeside(other_->record(), name == nameHere() ? tr("%1 (2)").arg(name) : name);
}

void CompareController::showBeside(std::shared_ptr<const CompileRecord> there, const QString& name) {
    there_ = std::move(there);
    name_ = name;
    timing_.reset();
    enableWhatApplies();
    secondary_->compareWith(there_);
    refresh();
    Q_EMIT comparingChanged(true);
}

void CompareController::stop() {
    job_.cancel();
    other_.reset();
    there_.reset();
    timing_.reset();
    enableWhatApplies();
    secondary_->compareWith(nullptr);
    refresh();
    Q_EMIT comparingChanged(false);
}

QString CompareController::nameHere() const { return toQString(session_->record()->model.name); }

void CompareController::refresh() {
    TableContent runs;
    runs.whenEmpty = tr("Ctrl+D compares this run with another model or session; Shift+D keeps it for later runs.");
    if (there_ && session_)
        runs = runDifferenceTable(summaryOf(*session_->record()), summaryOf(*there_), nameHere(), name_,
                                  timing_ ? &*timing_ : nullptr);
    else if (session_ && !recompilations_.empty()) runs = compilationsTable(*session_->record(), recompilations_);
    panel_->left()->setContent(std::move(runs));
    follow();
}

void CompareController::follow() {
    if (!there_ || !session_) return panel_->right()->setContent({});
    const auto& there = secondary_->pane()->graph();
    const Node* counterpart = there ? findNode(*there, secondary_->pane()->view()->selectedNode()) : nullptr;
    panel_->right()->setContent(nodePairTable(selection_->object(), counterpart, nameHere(), name_));
}

}  // namespace aotscope
