#include "controllers/sessions/remote_controller.h"

#include "controllers/make_action.h"
#include "models/release.h"
#include "models/words/to_qstring.h"
#include "record/options/remote_model.h"
#include "support/error.h"

#include <utility>

namespace aotscope {

RemoteController::RemoteController(BackgroundJob* job, Settings* settings, QWidget* window)
    : Controller(window), modelJob_(job), settings_(settings), window_(window) {
    action_ = makeAction(this, QStringLiteral("actionOpenRemote"), tr("Open R&emote…"), {},
                         tr("Opens a model on another machine and runs it there"), [this] { open(); });
    reconnect_ = makeAction(this, QStringLiteral("actionReconnect"), tr("Reconnec&t"), {},
                            tr("Connects to the model's machine again, or starts the engine again; what is shown stays "
                               "as it is"),
                            [this] { reconnect(); });
    reconnect_->setEnabled(false);
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
    watch_ = session_ ? session_->watch([this](const EngineLink& link) {
        QMetaObject::invokeMethod(
            this, [this, link] { heed(link); }, Qt::QueuedConnection);
    })
                      : nullptr;
    link_ = session_ ? session_->link() : EngineLink();
    reconnect_->setText(machine().isEmpty() ? tr("Star&t Engine Again") : tr("Reconnec&t"));
    showLink();
    tell(link_);
}

QString RemoteController::machine() const {
    const std::string model = session_ ? session_->options().model : std::string();
    return isRemote(model) ? toQString(remoteModel(model).place) : QString();
}

void RemoteController::heed(const EngineLink& link) {
    const EngineLink before = link_;
    if (session_) link_ = session_->link();
    if (link_ != before) {
        const bool unnoticed = before.why.empty() && link_.connection != before.connection;
        if (unnoticed) Q_EMIT machineChanged(machine(), tr("reconnected"));
        showLink();
        if (link_.why.empty()) Q_EMIT reconnected();
    }
    tell(link);
}

void RemoteController::showLink() {
    reconnect_->setEnabled(!link_.why.empty());
    Q_EMIT machineChanged(machine(), toQString(link_.why));
}

void RemoteController::tell(const EngineLink& link) {
    if (link.why.empty() || !told_.insert(link.connection).second) return;
    const QString why = toQString(link.why);
    Q_EMIT disconnected(link == link_ ? tr("%1; choose %2 to go on").arg(why, reconnect_->text().remove(u'&')) : why);
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
        [](bool) {});
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
