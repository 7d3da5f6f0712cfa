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

#include <algorithm>

namespace aotscope {

namespace {

QString withEnding(const QString& file) {
    return QFileInfo(file).suffix().isEmpty() ? file + QString::fromLatin1(kSessionEnding) : file;
}

}  // namespace

SessionController::SessionController(QWidget* window, std::function<AddResults()> results)
    : QObject(window), window_(window), results_(std::move(results)) {
    actions_ = {makeAction(this, QStringLiteral("actionSaveSession"), tr("&Save Session"), {QKeySequence::Save},
                           tr("Saves this run and all its results in its session file"), [this] { save(); }),
                makeAction(this, QStringLiteral("actionSaveSessionAs"), tr("Save Session &As…"), {tr("Ctrl+Shift+S")},
                           tr("Saves this run and all its results in another session file"), [this] { saveAs(); }),
                makeAction(this, QStringLiteral("actionSaveWithModel"), tr("Save Session &with Model…"), {},
                           tr("Saves a session with a copy of the model file, so that it runs on other machines"),
                           [this] { saveWithModel(); })};
    for (QAction* action : actions_) action->setEnabled(false);
    connect(&saving_, &BackgroundJob::failed, this, &SessionController::onFailure);
    shown_ = addDocument({});
}

void SessionController::addActionsTo(QMenu* menu) {
    for (QAction* action : actions_) menu->addAction(action);
}

// --- the models ---

SessionController::Document* SessionController::addDocument(const QString& opened) {
    auto document = std::make_unique<Document>();
    document->opened = opened;
    document->autosave = std::make_unique<Autosave>([this, d = document.get()] { return unsaved(*d); }, nullptr);
    connect(document->autosave.get(), &Autosave::failed, this, &SessionController::failed);
    if (autosaveDelayMs_) document->autosave->start(*autosaveDelayMs_);
    return documents_.emplace_back(std::move(document)).get();
}

SessionController::Document* SessionController::find(const QString& opened) const {
    const std::string model = opened.toStdString();
    const auto found = std::ranges::find_if(
        documents_, [&](const auto& document) { return isSameModel(document->opened.toStdString(), model); });
    return found == documents_.end() ? nullptr : found->get();
}

QString SessionController::otherModified() const {
    for (const auto& document : documents_)
        if (document->modified && document.get() != shown_) return document->opened;
    return {};
}

bool SessionController::isModified(const QString& opened) const {
    const Document* document = find(opened);
    return document && document->modified;
}

bool SessionController::hasChanged(const QString& opened) const {
    const Document* document = find(opened);
    return document && document->read && *document->read != stateOf(opened);
}

void SessionController::leave() {
    if (session_) shown_->left = SaveRequest{session_, results_(), {}, std::nullopt, false};
}

void SessionController::close(const QString& opened) {
    const Document* closed = find(opened);
    if (!closed || closed == shown_) return;
    closed->autosave->forgetAdopted();
    closed->autosave->end();
    std::erase_if(documents_, [&](const auto& d) { return d.get() == closed; });
}

void SessionController::startAutosave(int delayMs) {
    autosaveDelayMs_ = delayMs;
    for (const auto& document : documents_) document->autosave->start(delayMs);
}

void SessionController::keepForRecovery() {
    for (const auto& document : documents_)
        document->modified ? document->autosave->writeNow() : document->autosave->removeNow();
}

void SessionController::setSession(std::shared_ptr<const Session> session, const QString& opened,
                                   const std::optional<FileState>& read) {
    session_ = std::move(session);
    const bool same = shown_->opened == opened;
    if (shown_->opened.isEmpty()) shown_->opened = opened;
    Document* next = find(opened);
    if (!next) next = addDocument(opened);
    const bool back = !same && next->left.has_value();  // it was open all the time
    shown_ = next;
    Document& document = *next;
    document.left.reset();
    const bool typed = !same && document.opened != opened;
    document.opened = opened;
    if (read) document.read = read;
    Autosave& autosave = *document.autosave;
    const SessionContent* saved = session_->saved();
    const bool recovered = saved && read && RecoveryFile::contains(opened);
    // Options that are changed back and forth do not reread the file, which may have changed.
    if (saved && read && !isRemote(opened.toStdString())) {
        document.file = recovered ? sessionViewFrom(saved->view).file : opened;
        document.state = recovered ? stateOf(document.file) : *read;
    } else if (typed) {
        document.file.clear();
    }
    if (read || typed) document.marked = false;
    if (typed) autosave.forgetAdopted();
    if (recovered) autosave.adopt(opened);
    for (QAction* action : actions_) action->setEnabled(true);
    ++document.revision;
    const bool unsaved = document.marked || autosave.hasAdopted() || (!saved && !document.file.isEmpty());
    setModified(recovered || (same && ((document.modified && !read) || unsaved)) ||
                (back && !read && document.modified));
}

void SessionController::touch() {
    if (!session_) return;
    ++shown_->revision;
    setModified(true);
}

void SessionController::touchMarks() {
    if (!session_) return;
    shown_->marked = true;
    touch();
}

void SessionController::discard() {
    shown_->marked = false;
    shown_->autosave->forgetAdopted();
    setModified(false);
}

void SessionController::end() {
    saving_.wait();
    for (const auto& document : documents_) document->autosave->end();
}

QString SessionController::displayName() const {
    return !file().isEmpty() ? QFileInfo(file()).fileName()
           : session_        ? toQString(session_->record()->model.name)
                             : QString();
}

/// A model without changes is kept, too: compiling it may have taken long.
std::optional<SaveRequest> SessionController::unsaved(const Document& document) const {
    if (!session_ || (!document.modified && !document.file.isEmpty())) return std::nullopt;
    if (&document != shown_) return document.left;
    return SaveRequest{session_, results_(), {}, std::nullopt, false};
}

void SessionController::setModified(bool modified) {
    shown_->modified = modified;
    shown_->autosave->changed();
    window_->setWindowModified(modified);
    Q_EMIT modifiedChanged();
}

// --- saving ---

void SessionController::save() {
    if (file().isEmpty()) return saveAs();
    start({session_, results_(), file(), shown_->state, false});
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
        file().isEmpty() ? name + QString::fromLatin1(kSessionEnding) : QFileInfo(file()).absoluteFilePath();
    return askToSave(window_, settings_, tr("Save Session"), suggestion, tr("Session (*.aotscope)"));
}

void SessionController::start(const SaveRequest& request) {
    request_ = request;
    saving_.start<FileState>(
        tr("Saving %1").arg(request.file), [request](const Progress&) { return aotscope::save(request); },
        [this, file = request.file, opened = shown_->opened, revision = shown_->revision](const FileState& state) {
            if (Document* document = find(opened)) onSaved(*document, file, state, revision);
        });
}

/// Another model may be shown by now.
void SessionController::onSaved(Document& document, const QString& file, const FileState& state, int revision) {
    document.file = file;
    document.state = state;
    document.autosave->forgetAdopted();
    settings_.addRecentModel(file);
    const bool all = revision == document.revision;
    if (all) document.marked = false;
    if (&document == shown_) setModified(!all);
    else {
        document.modified = !all;
        Q_EMIT modifiedChanged();
    }
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
