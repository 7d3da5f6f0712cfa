#include "controllers/sessions/remote_controller.h"

#include "controllers/make_action.h"
#include "models/release.h"
#include "models/words/to_qstring.h"
#include "record/options/remote_model.h"
#include "support/error.h"

#include <utility>

namespace aotscope {

namespace {

constexpr int kLookMs = 500;

}  // namespace

RemoteController::RemoteController(BackgroundJob* job, Settings* settings, QWidget* window)
    : Controller(window), modelJob_(job), settings_(settings), window_(window) {
    action_ = makeAction(this, QStringLiteral("actionOpenRemote"), tr("Open R&emote…"), {},
                         tr("Opens a model on another machine and runs it there"), [this] { open(); });
    reconnect_ = makeAction(this, QStringLiteral("actionReconnect"), tr("Reconnec&t"), {},
                            tr("Connects to the model's machine again, or starts the engine again; what is shown stays "
                               "as it is"),
                            [this] { reconnect(); });
    reconnect_->setEnabled(false);
    // Report a failure before it is examined.
    connect(modelJob_, &BackgroundJob::finished, this, &RemoteController::look, Qt::QueuedConnection);
    clock_.setInterval(kLookMs);
    connect(&clock_, &QTimer::timeout, this, &RemoteController::look);
    connect(&job_, &BackgroundJob::stageEntered, this, [this](const QString& stage) {
        if (dialog_) dialog_->setStage(stage);
    });
    connect(&job_, &BackgroundJob::finished, this, [this] {
        if (dialog_) dialog_->setStage({});
    });
    connect(&job_, &BackgroundJob::failed, this, [this](const std::exception_ptr& error) {
        try {
            std::rethrow_exception(error);
        } catch (const Cancelled&) {
        } catch (const std::exception& e) {
            if (dialog_) dialog_->setProblem(QString::fromUtf8(e.what()));
        }
    });
}

RemoteController::~RemoteController() { job_.disconnect(this); }

void RemoteController::setSession(const std::shared_ptr<const Session>& session) {
    session_ = session;
    // Another partition of the same model has the same engine, whose end was told.
    if (!session_ || toQString(session_->whyDisconnected()) != why_) why_.clear();
    reopened_ = session_ ? session_->timesReopened() : 0;
    reconnect_->setEnabled(!why_.isEmpty());
    if (session_) clock_.start();
    else clock_.stop();
    const QString place = machine();
    reconnect_->setText(place.isEmpty() ? tr("Star&t Engine Again") : tr("Reconnec&t"));
    Q_EMIT machineChanged(place, why_);
}

QString RemoteController::machine() const {
    const std::string model = session_ ? session_->options().model : std::string();
    return isRemote(model) ? toQString(remoteModel(model).place) : QString();
}

/// Otherwise nothing polls while the other machine is idle.
void RemoteController::look() {
    if (!session_) return;
    const QString why = toQString(session_->whyDisconnected());
    const std::size_t before = std::exchange(reopened_, session_->timesReopened());
    if (before != reopened_ && why_.isEmpty()) Q_EMIT machineChanged(machine(), tr("reconnected"));  // unnoticed
    else if (why == why_) return;
    why_ = why;
    reconnect_->setEnabled(!why.isEmpty());
    Q_EMIT machineChanged(machine(), why);
    if (!why.isEmpty()) Q_EMIT disconnected(why);
    else Q_EMIT reconnected();
}

/// The session continues with the new connection.
void RemoteController::reconnect() {
    if (modelJob_->running()) return;
    const QString place = machine();
    const QString title = place.isEmpty() ? tr("Starting the engine again") : tr("Connecting to %1 again").arg(place);
    Q_EMIT aboutToStart(title);
    modelJob_->start<bool>(
        title,
        [session = session_](const Progress& progress) {
            session->reconnect(progress);
            return true;
        },
        [this](bool) { look(); });
}

void RemoteController::open() {
    dialog_ = new RemoteDialog(settings_->remoteHosts(), window_);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog_, &RemoteDialog::folderWanted, this, &RemoteController::list);
    connect(dialog_, &RemoteDialog::cancelRequested, &job_, &BackgroundJob::cancel);
    connect(dialog_, &QDialog::accepted, this, &RemoteController::accept);
    connect(dialog_, &QDialog::finished, this, [this] {
        job_.cancel();
        releaseInBackground(std::exchange(folders_, nullptr));
        place_.clear();
    });
    dialog_->open();
}

/// The connection is kept for the same machine.
void RemoteController::list() {
    try {
        const std::string model = dialog_->model().toStdString();
        const RemoteModel there = remoteModel(model);
        const QString place = toQString(besideRemote(model, {}));
        if (place != std::exchange(place_, place) || !folders_)
            releaseInBackground(std::exchange(folders_, std::make_shared<RemoteFolders>(model)));
        dialog_->setStage(tr("Connecting to %1").arg(toQString(there.place)));
        job_.start<RemoteFolder>(
            tr("Listing a folder"),
            [folders = folders_, path = there.model](const Progress& progress) {
                return folders->list(path, progress);
            },
            [this](const RemoteFolder& folder) {
                if (dialog_) dialog_->setFolder(folder);
            });
    } catch (const UsageError& e) {
        dialog_->setProblem(QString::fromUtf8(e.what()));
    }
}

void RemoteController::accept() {
    const QString host = dialog_->host()->currentText().trimmed();
    try {
        const QString model = dialog_->model();
        remoteModel(model.toStdString());
        if (!host.isEmpty()) settings_->addRemoteHost(host);
        Q_EMIT chosen(model);
    } catch (const UsageError& e) {  // reopen with the same text
        const QString command = dialog_->command()->text(), path = dialog_->path()->text(),
                      why = QString::fromUtf8(e.what());
        open();
        dialog_->host()->setCurrentText(host);
        dialog_->command()->setText(command);
        dialog_->path()->setText(path);
        dialog_->setProblem(why);
    }
}

}  // namespace aotscope
