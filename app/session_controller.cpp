#include "session_controller.h"

#include "canvas/drawn_graph.h"
#include "io/session/session_file.h"
#include "make_action.h"
#include "session_view.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

namespace aotscope {

namespace {

constexpr int kSoonMs = 1500;  ///< after a compile, when the window has come to rest

QString withEnding(const QString& file) {
    return QFileInfo(file).suffix().isEmpty() ? file + QString::fromLatin1(kSessionEnding) : file;
}

}  // namespace

SessionController::SessionController(QWidget* window, std::function<AddResults()> results)
    : QObject(window), window_(window), results_(std::move(results)) {
    actions_ = {
        makeAction(this, QStringLiteral("actionSaveSession"), tr("&Save session"), {QKeySequence::Save},
                   tr("Write everything that is known of this run into its session file"), [this] { save(); }),
        makeAction(this, QStringLiteral("actionSaveSessionAs"), tr("Save session &as…"), {tr("Ctrl+Shift+S")},
                   tr("Write everything that is known of this run into another session file"), [this] { saveAs(); }),
        makeAction(this, QStringLiteral("actionSaveWithModel"), tr("Save session &with its model…"), {},
                   tr("Write a session file that carries the model's file along, so that it can be run elsewhere"),
                   [this] { saveWithModel(); })};
    for (QAction* action : actions_) action->setEnabled(false);
    connect(&saving_, &BackgroundJob::failed, this, &SessionController::onFailure);
    connect(&autosaving_, &BackgroundJob::failed, this, &SessionController::failed);
    connect(&autosaveTimer_, &QTimer::timeout, this, &SessionController::autosave);
    soon_.setSingleShot(true);
    connect(&soon_, &QTimer::timeout, this, &SessionController::autosave);
}

SessionController::~SessionController() {
    for (BackgroundJob* job : {&saving_, &autosaving_}) job->disconnect(this);
}

void SessionController::addActionsTo(QMenu* menu) {
    for (QAction* action : actions_) menu->addAction(action);
}

void SessionController::setSession(std::shared_ptr<const Session> session, const QString& opened,
                                   const std::optional<FileState>& read) {
    session_ = std::move(session);
    const bool same = std::exchange(opened_, opened) == opened;
    const SessionContent* saved = session_->saved();
    const bool recovered = saved && read && RecoveryFile::contains(opened);
    // Options that are chosen back and forth do not read the file again: it may have changed meanwhile.
    if (saved && read) {
        file_ = recovered ? sessionViewFrom(saved->view).file : opened;
        state_ = recovered ? stateOf(file_) : *read;
        if (recovered) recovered_ = opened;
    } else if (!same) {
        file_.clear();
    }
    for (QAction* action : actions_) action->setEnabled(true);
    ++revision_;
    setModified(recovered || (same && !saved && !file_.isEmpty()));
    if (recovery_) soon_.start(kSoonMs);
}

void SessionController::touch() {
    if (!session_) return;
    ++revision_;
    setModified(true);
}

void SessionController::setModified(bool modified) {
    modified_ = modified;
    window_->setWindowModified(modified);
    Q_EMIT modifiedChanged();
}

// --- saving ---

void SessionController::save() {
    if (file_.isEmpty()) return saveAs();
    start({session_, results_(), file_, state_, false});
}

void SessionController::saveAs() {
    const QString file = askForFile();
    if (file.isEmpty()) closeWhenSaved_ = false;
    else saveTo(file);
}

void SessionController::saveWithModel() {
    if (const QString file = askForFile(); !file.isEmpty()) saveTo(file, true);
}

/// The file dialog has asked whether an existing file is to be replaced.
void SessionController::saveTo(const QString& file, bool embedModel) {
    if (session_) start({session_, results_(), withEnding(file), std::nullopt, embedModel});
}

QString SessionController::askForFile() {
    const QString name = session_ ? toQString(session_->record()->model.name) : QString();
    const QString suggestion =
        file_.isEmpty() ? settings_.lastFolder() + u'/' + name + QString::fromLatin1(kSessionEnding) : file_;
    const QString file =
        QFileDialog::getSaveFileName(window_, tr("Save session"), suggestion, tr("Session (*.aotscope)"));
    if (!file.isEmpty()) settings_.setLastFolder(QFileInfo(file).path());
    return file;
}

void SessionController::start(SaveRequest request) {
    request_ = request;
    saving_.start<FileState>(
        tr("Saving %1").arg(request.file), [request](const Progress&) { return aotscope::save(request); },
        [this, file = request.file, revision = revision_](const FileState& state) { onSaved(file, state, revision); });
}

void SessionController::onSaved(const QString& file, const FileState& state, int revision) {
    file_ = file;
    state_ = state;
    forgetRecovered();
    settings_.addRecentModel(file);
    setModified(revision != revision_);
    Q_EMIT savedTo(file);
    if (std::exchange(closeWhenSaved_, false)) window_->close();
}

void SessionController::onFailure(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const ChangedOnDisk& e) {
        askAboutChange(toQString(e.what()));
    } catch (...) {
        closeWhenSaved_ = false;
        Q_EMIT failed(error);
    }
}

void SessionController::askAboutChange(const QString& why) {
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Save session"), why, QMessageBox::Cancel, window_);
    box->setObjectName(QStringLiteral("changedOnDisk"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* other = box->addButton(tr("Save as…"), QMessageBox::AcceptRole);
    QPushButton* replace = box->addButton(tr("Replace"), QMessageBox::DestructiveRole);
    box->setDefaultButton(other);
    connect(box, &QDialog::rejected, this, [this] { closeWhenSaved_ = false; });
    connect(other, &QPushButton::clicked, this, &SessionController::saveAs);
    connect(replace, &QPushButton::clicked, this, [this] {
        request_.expected.reset();
        start(request_);
    });
    box->open();
}

bool SessionController::mayClose() {
    if (!modified_ || file_.isEmpty()) return true;
    QMessageBox box(QMessageBox::Question, tr("Close"),
                    tr("'%1' has changes that are not saved.").arg(QFileInfo(file_).fileName()),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window_);
    box.setObjectName(QStringLiteral("unsavedChanges"));
    const int answer = box.exec();
    if (answer != QMessageBox::Save) return answer == QMessageBox::Discard;
    closeWhenSaved_ = true;
    save();
    return false;
}

// --- in case the program ends ---

void SessionController::startAutosave(int intervalMs) {
    recovery_ = std::make_unique<RecoveryFile>();
    autosaveTimer_.start(intervalMs);
    if (session_) soon_.start(kSoonMs);
}

void SessionController::autosave() {
    if (!recovery_ || recovery_->path().isEmpty() || !session_ || autosaved_ == revision_ || autosaving_.running())
        return;
    if (session_->saved() && !modified_) return;  // its file has all of it
    autosaving_.start<FileState>(
        {},
        [request = SaveRequest{session_, results_(), recovery_->path(), std::nullopt, false}](const Progress&) {
            return aotscope::save(request);
        },
        [this, revision = revision_](const FileState&) {
            autosaved_ = revision;
            forgetRecovered();
        });
}

/// What was lost is in another file now.
void SessionController::forgetRecovered() {
    if (!recovered_.isEmpty()) RecoveryFile::remove(std::exchange(recovered_, {}));
}

void SessionController::offerRecovery() {
    const auto lost = RecoveryFile::lost();
    if (lost.empty()) return;
    const LostSession latest = lost.front();
    auto* box = new QMessageBox(QMessageBox::Question, tr("Recover"),
                                tr("aotscope ended without closing a session, last written on %1.")
                                    .arg(QLocale().toString(latest.written, QLocale::ShortFormat)),
                                QMessageBox::NoButton, window_);
    box->setInformativeText(tr("Open it, delete it, or be asked again the next time?"));
    box->setObjectName(QStringLiteral("recovery"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* open = box->addButton(tr("Open"), QMessageBox::AcceptRole);
    QPushButton* remove = box->addButton(tr("Delete"), QMessageBox::DestructiveRole);
    QPushButton* later = box->addButton(tr("Later"), QMessageBox::RejectRole);
    box->setDefaultButton(open);
    box->setEscapeButton(later);
    connect(open, &QPushButton::clicked, this, [this, latest] { Q_EMIT openRequested(latest.file); });
    connect(remove, &QPushButton::clicked, this, [this, latest] {
        RecoveryFile::remove(latest.file);
        offerRecovery();
    });
    box->open();
}

}  // namespace aotscope
