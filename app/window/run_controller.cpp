#include "window/run_controller.h"

#include "panels/dialogs/input_spec_dialog.h"
#include "panels/dialogs/libraries_dialog.h"
#include "panels/dialogs/limits_dialog.h"
#include "partition/overrides.h"
#include "record/model_kind.h"
#include "record/options/option_use.h"
#include "record/options/remote_model.h"
#include "remote/engine_rights.h"

#include <QDir>
#include <QFileInfo>

namespace aotscope {

namespace {

constexpr int kMeasuredRuns = 10;

/// "reads files and writes files".
QString whatTheyDo(const OperatorKinds& kinds) {
    QStringList does;
    for (const AllowableKind& kind : allowableKinds())
        if (kinds.contains(kind.kind)) does << toQString(kind.does);
    return does.join(QObject::tr(" and "));
}

/// For remembering: an answer holds for these kinds only.
QString namesOf(const OperatorKinds& kinds) {
    QStringList names;
    for (const AllowableKind& kind : allowableKinds())
        if (kinds.contains(kind.kind)) names << toQString(kind.name);
    return names.join(u',');
}

}  // namespace

RunController::RunController(Workbench& bench, BreakpointController* breakpoints)
    : Controller(bench.window),
      bench_(bench),
      breakpoints_(breakpoints),
      consent_(new ConsentController(bench.engine, bench.window, &bench.settings)),
      sessionCode_(new SessionCode(bench.engine, consent_, this)),
      options_(bench.settings, bench.engine) {
    connectOptions();
    connectConsent();
    connect(&watcher_, &ModelWatcher::changed, this, &RunController::onModelChanged);
    connect(&job_, &BackgroundJob::started, bench_.status, &StatusLine::showProgress);
    connect(&job_, &BackgroundJob::stageEntered, this,
            [this](const QString& stage) { bench_.status->showProgress(status_.enter(stage)); });
    connect(&job_, &BackgroundJob::finished, this, [this] { bench_.status->showProgress({}); });
    connect(&job_, &BackgroundJob::failed, this, &RunController::onJobFailure);
    bench_.options->show(options());
}

RunController::~RunController() { job_.disconnect(); }

void RunController::connectOptions() {
    OptionsPopover* shown = bench_.options;
    connect(shown, &OptionsPopover::changed, this, [this, shown](const std::vector<const OptionEntry*>& entries) {
        shown->writeTo(options_.current());
        for (const OptionEntry* entry : entries) options_.remember(*entry, bench_.settings);
        if (!options().model.empty()) showWhatIsChosen();
    });
    connect(shown, &OptionsPopover::changed, bench_.toolBar->badge(), &CheckBadge::outdate);
    connect(shown, &OptionsPopover::pluginTaken, this, [this](const QString& file) { options_.takePlugin(file); });
    connect(bench_.toolBar, &MainToolBar::compilationChosen, this, &RunController::openCompile);
}

void RunController::connectConsent() {
    connect(sessionCode_, &SessionCode::allowed, this, [this](const RequestedCode& code) {
        options_.add(code);
        bench_.options->show(options());
        run();
    });
    connect(sessionCode_, &SessionCode::said, this,
            [this](const QString& sentence) { bench_.report(ProblemsPanel::Kind::warning, sentence); });
    connect(consent_, &ConsentController::failed, this, &RunController::reportFailure);
}

// --- running ---

void RunController::setOptions(const Options& options) {
    options_.setOwn(options, bench_.settings);
    Q_EMIT allowedChanged(options_.own().allow);
    bench_.options->show(options_.current());
}

void RunController::openModel(const QString& model, const InputSource& inputs,
                              const std::filesystem::path& inputFolder) {
    if (options().model != model.toStdString()) consent_->cancel();
    if (options_.choose(model, inputs, inputFolder)) bench_.options->show(options());
    if (std::holds_alternative<std::monostate>(inputs)) options_.recallInputs(inputsKey(), bench_.settings);
    reload_ = bench_.run.session() && bench_.run.session()->ofSessionFile();
    run();
}

void RunController::show(std::shared_ptr<const Session> session) {
    job_.cancel();
    const Options& made = session->options();
    if (options_.choose(toQString(made.model), made.inputs, made.inputFolder)) bench_.options->show(options());
    Q_EMIT opened(std::move(session), std::nullopt);
}

void RunController::run() {
    if (options().model.empty()) {
        Q_EMIT modelWanted();
        return;
    }
    bench_.options->writeTo(options_.current());
    const Options options = options_.take(bench_.settings);
    const auto& open = bench_.run.session();
    const bool reads = std::exchange(reload_, false) || !open || open->options().model != options.model;
    // Before it is read: later writes by others are changes.
    const auto state = reads ? std::optional(stateOf(toQString(options.model))) : std::nullopt;
    compile(options, reads, [this, state, options](const std::shared_ptr<const Session>& session) {
        Q_EMIT opened(session, state);
        tellUnused(options);
    });
}

void RunController::compile(const Options& options, bool reads,
                            std::function<void(const std::shared_ptr<const Session>&)> take) {
    const QString shown = toQString(shownModel(options.model));
    const QString title = tr("Compiling %1").arg(isScript(options.model) ? tr("the scratch pad") : shown);
    status_.begin(title, shown, 0);
    job_.start<std::shared_ptr<const Session>>(
        title,
        [engine = bench_.engine, options, previous = reads ? nullptr : bench_.run.session(),
         pause = breakpoints_->arm()](const Progress& progress) {
            return engine->open(options, progress, previous, pause.get());
        },
        std::move(take));
}

void RunController::showWhatIsChosen() {
    bench_.options->writeTo(options_.current());
    const auto known = breakpoints_->armed() ? nullptr : bench_.run.runs.with(options_.next(bench_.settings));
    known ? showRun(known) : run();
}

void RunController::showRun(const std::shared_ptr<Run>& run) {
    job_.cancel();
    options_.takeFrom(run->options);
    bench_.options->show(options());
    if (run->session) return Q_EMIT opened(run->session, std::nullopt);
    compile(options_.take(bench_.settings), false, [this, run](const std::shared_ptr<const Session>& session) {
        run->session = session;
        Q_EMIT opened(session, std::nullopt);
    });
}

/// Warns about options of the command line that the model does not take.
void RunController::tellUnused(const Options& options) {
    for (const std::string& sentence : unusedOptions(options))
        bench_.report(ProblemsPanel::Kind::information, toQString(sentence));
}

template <typename Result>
void RunController::runOnSession(const QString& title,
                                 const std::function<Result(const Session&, const Progress&)>& work,
                                 void (RunController::*done)(const Result&)) {
    const auto session = bench_.run.session();
    if (!session) return;
    announce(title);
    job_.start<Result>(
        title, [session, work](const Progress& progress) { return work(*session, progress); },
        [this, done](const Result& result) { Q_EMIT std::invoke(done, this, result); });
}

void RunController::check() {
    runOnSession<CheckResult>(
        tr("Checking against eager"),
        [](const Session& session, const Progress& progress) { return session.check(progress); },
        &RunController::checked);
}

void RunController::findDifference() {
    runOnSession<BisectResult>(
        tr("Finding the first difference from eager"),
        [](const Session& session, const Progress& progress) { return session.bisect(progress); },
        &RunController::bisected);
}

void RunController::time() {
    runOnSession<TimingResult>(
        tr("Timing"),
        [](const Session& session, const Progress& progress) {
            TimingResult result = session.time({kMeasuredRuns}, progress);
            session.learnCosts(progress);
            return result;
        },
        &RunController::timed);
}

void RunController::cancel() {
    job_.cancel();
    returnToSession();
}

void RunController::compileWith(const PartitionOptions& partition) {
    const Session& session = *bench_.run.session();
    // Named overrides are shown among the options and can be reset.
    const Options wanted =
        withPartition(session, withNamedOverrides(*session.record()->graph(GraphKind::joint), partition));
    options_.current().partition = wanted.partition;
    options_.current().repartition = wanted.repartition;
    bench_.options->show(options());
    showWhatIsChosen();
}

void RunController::openCompile(const QString& id) {
    options_.current().compileId = id.toStdString();
    options_.recallInputs(inputsKey(), bench_.settings);  // the given ones were for another model
    showWhatIsChosen();
}

/// The key of remembered inputs: the model; in a file with several compilations, each except the first has its own.
QString RunController::inputsKey() const {
    const QString model = toQString(options().model);
    const auto& session = bench_.run.session();
    const std::string& id = options().compileId;
    if (!session || id.empty() || session->options().model != options().model) return model;
    const auto ids = session->compileIds();
    const bool first = ids.empty() || (id == ids.front() && session->rankPrefix().empty());
    return first ? model : model + u'\n' + toQString(id);
}

/// The shown model's file has changed, or that of code for it.
void RunController::onModelChanged(const QString& path) {
    const auto& session = bench_.run.session();
    if (session && session->trace() && path.toStdString() == session->options().model) return void(Q_EMIT logGrown());
    bench_.run.runs.outdate();
    const QString name = QFileInfo(path).fileName();
    const auto inform = [this](const QString& sentence) { bench_.report(ProblemsPanel::Kind::information, sentence); };
    if (!bench_.settings.reload() || job_.running())
        return inform(tr("'%1' has changed; press F5 to compile again").arg(name));
    run();
    inform(tr("'%1' has changed: compiling again").arg(name));
}

// --- the open session ---

void RunController::takeSession() {
    adapt();
    const Session& session = *bench_.run.session();
    // A session file is written by Save, not compiled, and its code was allowed as it was.
    if (session.ofSessionFile()) return watcher_.watch({});
    QStringList files{toQString(session.options().model)};
    for (const auto& file : codeFiles(session.options())) files << toQString(file.string());
    watcher_.watch(files);
}

/// Offers what the open session supports, with reasons for the rest.
void RunController::adapt() {
    const Session& session = *bench_.run.session();
    options_.current().compileId = session.options().compileId;
    if (session.saved()) options_.current() = session.options();
    QStringList ids;
    for (const auto& id : session.compileIds()) ids << toQString(id);
    bench_.toolBar->setCompilations(ids, toQString(options().compileId));
    bench_.options->adaptTo(options(), toQString(session.whyNotCompiled()), session.whyNotExecutable().empty());
    Q_EMIT adapted();
}

/// Another model could not be opened: restores the options of the shown one.
void RunController::returnToSession() {
    if (bench_.run.session() && options_.returnTo(bench_.run.session()->options())) adapt();
}

// --- failures, and what is asked for ---

void RunController::reportFailure(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const Cancelled&) {
    } catch (const InputsNeeded& e) {
        askForInputs(e.suggestion, e.names, toQString(e.what()).section(u';', 0, 0));
    } catch (const std::bad_alloc&) {
        bench_.report(ProblemsPanel::Kind::error, tr("Out of memory. Choose smaller inputs or a smaller model."));
        returnToSession();
    } catch (const ConnectionLost& e) {
        Q_EMIT connectionLost(e.link);
        returnToSession();
    } catch (const std::exception& e) {
        bench_.report(ProblemsPanel::Kind::error, toQString(firstSentence(e.what())));
        returnToSession();
    }
}

/// A refusal of the model itself: other jobs may be about another one.
void RunController::onJobFailure(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const OperatorsRefused& refused) {
        if (!refused.kinds.empty()) askForOperators(refused);
    } catch (...) {  // nothing to allow
    }
    reportFailure(error);
}

/// Asks whether the model's file may do what was refused, and then reopens it.
void RunController::askForOperators(const OperatorsRefused& refused) {
    const auto kinds = options_.toAllow(refused.kinds);
    if (!kinds) return;
    QStringList operators;
    for (const std::string& name : refused.operators) operators << toQString(name);
    ConsentQuestion question;
    question.what = QStringLiteral("operators ") + namesOf(*kinds);
    question.file = toQString(options().model);
    question.title = tr("Open Model");
    question.text = tr("'%1' calls %2, which %3. Open it anyway?")
                        .arg(shownText(QFileInfo(question.file).fileName()),
                             shownText(operators.join(QStringLiteral(", "))), whatTheyDo(*kinds));
    question.details = tr("Open it only if you trust its author: the model runs with all your permissions.");
    question.yes = tr("Open Anyway");
    question.no = tr("Do Not Open");
    consent_->ask(question, [this, options = options(), kinds](bool yes) {
        if (!yes) return;
        options_.current() = options;
        bench_.options->show(options);
        options_.allow(*kinds);
        run();
    });
}

void RunController::askForInputs(const InputSpec& suggestion, const std::vector<std::string>& names,
                                 const QString& reason) {
    QStringList inputNames;
    for (const auto& name : names) inputNames << toQString(name);
    const auto& chosen = options().inputFolder;
    const QString folder = chosen.empty() ? QDir::currentPath() : QString::fromStdString(chosen.string());
    auto* dialog = new InputSpecDialog(suggestion, inputNames, bench_.window, folder);
    dialog->setObjectName(QStringLiteral("inputSpecDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (!reason.isEmpty()) dialog->setReason(reason);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        options_.current().inputs = dialog->spec();
        bench_.settings.setInputSpec(inputsKey(), QByteArray::fromStdString(printInputSpec(dialog->spec())));
        showWhatIsChosen();
    });
    connect(dialog, &QDialog::rejected, this, &RunController::returnToSession);
    dialog->open();
}

void RunController::editInputs() {
    if (const auto& session = bench_.run.session()) askForInputs(session->inputSpec(), session->inputNames(), {});
}

void RunController::editLibraries() {
    auto* dialog = new LibrariesDialog(bench_.settings.libraries(), bench_.window);
    dialog->setObjectName(QStringLiteral("librariesDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { bench_.settings.setLibraries(dialog->libraries()); });
    dialog->open();
}

void RunController::editLimits() {
    auto* dialog =
        new LimitsDialog(options().limits == Limits{} ? bench_.settings.limits() : options().limits, bench_.window);
    dialog->setObjectName(QStringLiteral("limitsDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        bench_.settings.setLimits(dialog->limits());
        options_.current().limits = dialog->limits();
    });
    dialog->open();
}

}  // namespace aotscope
