#include "controllers/minify_controller.h"

#include "controllers/make_action.h"
#include "export/export_minified.h"
#include "io/minify_text.h"
#include "ir/printer.h"
#include "models/words/to_qstring.h"

#include <QFileInfo>
#include <utility>

namespace aotscope {

MinifyController::MinifyController(const Surroundings& around, BackgroundJob* job) : Controller(around), job_(job) {
    action_ = makeAction(this, QStringLiteral("actionMinify"), tr("&Minify…"), {tr("Ctrl+Alt+M")},
                         tr("Reduces a graph to the smallest one that still shows a wrong value, a NaN or a failure"),
                         [this] { open(); });
    connect(job_, &BackgroundJob::stageEntered, this, [this](const QString& stage) {
        if (dialog_ && dialog_->running()) dialog_->setStage(stage);
    });
    connect(job_, &BackgroundJob::failed, this, [this](const std::exception_ptr& error) {
        if (std::exchange(minifying_, false) && dialog_) dialog_->setProblem(whyFailed(error));
    });
    connect(job_, &BackgroundJob::started, this, [this] { minifying_ = false; });
    connect(job_, &BackgroundJob::finished, this, [this] {
        if (dialog_) dialog_->setRunning(false);
    });
}

void MinifyController::setSession(const std::shared_ptr<const Session>& session) {
    session_ = session;
    result_.reset();
    if (dialog_) dialog_->close();
}

void MinifyController::open() {
    if (!session_) return;
    result_.reset();
    std::vector<GraphKind> kinds;
    for (const GraphKind kind : {GraphKind::inference, GraphKind::forward, GraphKind::backward, GraphKind::joint})
        if (session_->record()->graph(kind)) kinds.push_back(kind);
    dialog_ = new MinifyDialog(kinds, window_);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog_, &MinifyDialog::startRequested, this, &MinifyController::start);
    connect(dialog_, &MinifyDialog::cancelRequested, job_, &BackgroundJob::cancel);
    connect(dialog_, &MinifyDialog::saveRequested, this, &MinifyController::askForFile);
    dialog_->open();
}

void MinifyController::start(const MinifyOptions& wanted) {
    result_.reset();
    Q_EMIT aboutToStart(tr("Minifying"));
    job_->start<MinifyResult>(
        tr("Minifying"),
        [session = session_, wanted](const Progress& progress) { return session->minify(wanted, progress); },
        [this](const MinifyResult& result) { take(result); });
    minifying_ = true;
    if (dialog_) dialog_->setRunning(true);
}

void MinifyController::take(const MinifyResult& result) {
    minifying_ = false;
    result_ = result;
    if (dialog_) dialog_->setResult(toQString(minifyText(result) + "\n" + printGraph(*result.graph)));
}

void MinifyController::askForFile() {
    const QString file =
        askToSave(window_, *settings_, tr("Save Minified Graph"), QStringLiteral("repro.py"), tr("Python (*.py)"));
    if (!file.isEmpty()) saveTo(QFileInfo(file).suffix() == QLatin1String("py") ? file : file + QStringLiteral(".py"));
}

void MinifyController::saveTo(const QString& file) {
    if (!result_) return;
    guarded([&] { Q_EMIT said(toQString(exportMinified(*result_, *session_->record(), file.toStdString()))); });
}

}  // namespace aotscope
