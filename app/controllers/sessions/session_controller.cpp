#include "controllers/sessions/session_controller.h"

#include "canvas/drawn_graph.h"
#include "controllers/controller.h"
#include "controllers/make_action.h"
#include "controllers/sessions/session_view.h"
#include "io/session/session_file.h"
#include "record/model_kind.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace aotscope {

namespace {

QString withEnding(const QString& file) {
    return QFileInfo(file).suffix().isEmpty() ? file + QString::fromLatin1(kSessionEnding) : file;
}

}  // namespace

SessionController::SessionController(QWidget* window, std::function<AddResults()> results)
    : QObject(window), window_(window), results_(std::move(results)), autosave_([this] { return unsaved(); }, nullptr) {
    actions_ = {makeAction(this, QStringLiteral("actionSaveSession"), tr("&Save Session"), {QKeySequence::Save},
                           tr("Saves this run and all its results in its session file"), [this] { save(); }),
                makeAction(this, QStringLiteral("actionSaveSessionAs"), tr("Save Session &As…"), {tr("Ctrl+Shift+S")},
                           tr("Saves this run and all its results in another session file"), [this] { saveAs(); }),
                makeAction(this, QStringLiteral("actionSaveWithModel"), tr("Save Session &with Model…"), {},
                           tr("Saves a session with a copy of the model file, so that it runs on other machines"),
                           [this] { saveWithModel(); })};
    for (QAction* action : actions_) action->setEnabled(false);
    connect(&saving_, &BackgroundJob::failed, this, &SessionController::onFailure);
    connect(&autosave_, &Autosave::failed, this, &SessionController::failed);
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
    // Options that are changed back and forth do not reread the file, which may have changed.
    if (saved && read && !isRemote(opened.toStdString())) {
        file_ = recovered ? sessionViewFrom(saved->view).file : opened;
        state_ = recovered ? stateOf(file_) : *read;
    } else if (!same) {
        file_.clear();
    }
    if (read || !same) marked_ = false;
    // The previous session is discarded or saved; the new one may be a recovered one.
    if (!same) autosave_.forgetAdopted();
    if (recovered) autosave_.adopt(opened);
    for (QAction* action : actions_) action->setEnabled(true);
    ++revision_;
    setModified(recovered ||
                (same && ((modified_ && !read) || marked_ || autosave_.hasAdopted() || (!saved && !file_.isEmpty()))));
}

void SessionController::touch() {
    if (!session_) return;
    ++revision_;
    setModified(true);
}

void SessionController::touchMarks() {
    if (!session_) return;
    marked_ = true;
    touch();
}

void SessionController::discard() {
    marked_ = false;
    autosave_.forgetAdopted();
    setModified(false);
}

void SessionController::end() {
    saving_.wait();
    autosave_.end();
}

QString SessionController::displayName() const {
    return !file_.isEmpty() ? QFileInfo(file_).fileName()
           : session_       ? toQString(session_->record()->model.name)
                            : QString();
}

/// A model without changes is kept, too: compiling it may have taken long.
std::optional<SaveRequest> SessionController::unsaved() const {
    if (!session_ || (!modified_ && !file_.isEmpty())) return std::nullopt;
    return SaveRequest{session_, results_(), {}, std::nullopt, false};
}

void SessionController::setModified(bool modified) {
    modified_ = modified;
    autosave_.changed();
    window_->setWindowModified(modified);
}

// --- saving ---

void SessionController::save() {
    if (file_.isEmpty()) return saveAs();
    start({session_, results_(), file_, state_, false});
}

void SessionController::saveAs() {
    const QString file = askForFile();
    if (file.isEmpty()) Q_EMIT saveEnded(false);
    else saveTo(file);
}

void SessionController::saveWithModel() {
    if (const QString file = askForFile(); !file.isEmpty()) saveTo(file, true);
}

/// The file dialog has asked whether to replace an existing file.
void SessionController::saveTo(const QString& file, bool embedModel) {
    if (session_) start({session_, results_(), withEnding(file), std::nullopt, embedModel});
}

QString SessionController::askForFile() {
    const QString name = session_ ? toQString(session_->record()->model.name) : QString();
    const QString suggestion =
        file_.isEmpty() ? name + QString::fromLatin1(kSessionEnding) : QFileInfo(file_).absoluteFilePath();
    return askToSave(window_, settings_, tr("Save Session"), suggestion, tr("Session (*.aotscope)"));
}

void SessionController::start(const SaveRequest& request) {
    request_ = request;
    saving_.start<FileState>(
        tr("Saving %1").arg(request.file), [request](const Progress&) { return aotscope::save(request); },
        [this, file = request.file, revision = revision_](const FileState& state) { onSaved(file, state, revision); });
}

void SessionController::onSaved(const QString& file, const FileState& state, int revision) {
    file_ = file;
    state_ = state;
    autosave_.forgetAdopted();
    settings_.addRecentModel(file);
    if (revision == revision_) marked_ = false;
    setModified(revision != revision_);
    Q_EMIT savedTo(file);
    Q_EMIT saveEnded(true);
}

void SessionController::onFailure(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const ChangedOnDisk& e) {
        askAboutChange(toQString(e.what()));
    } catch (...) {
        Q_EMIT failed(error);
        Q_EMIT saveEnded(false);
    }
}

void SessionController::askAboutChange(const QString& why) {
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Save Session"), why, QMessageBox::Cancel, window_);
    box->setObjectName(QStringLiteral("changedOnDisk"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* other = box->addButton(tr("Save As…"), QMessageBox::AcceptRole);
    QPushButton* replace = box->addButton(tr("Replace"), QMessageBox::DestructiveRole);
    box->setDefaultButton(other);
    connect(box, &QDialog::rejected, this, [this] { Q_EMIT saveEnded(false); });
    connect(other, &QPushButton::clicked, this, &SessionController::saveAs);
    connect(replace, &QPushButton::clicked, this, [this] {
        request_.expected.reset();
        start(request_);
    });
    box->open();
}

}  // namespace aotscope
