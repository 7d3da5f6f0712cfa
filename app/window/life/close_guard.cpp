#include "window/life/close_guard.h"

#include "controllers/sessions/session_controller.h"

#include <QMessageBox>
#include <QPushButton>

#include <utility>

namespace aotscope {

CloseGuard::CloseGuard(SessionController* session, QWidget* window)
    : QObject(window), session_(session), window_(window) {
    connect(session, &SessionController::saveEnded, this, &CloseGuard::onSaveEnded);
}

void CloseGuard::ask(const QString& before, std::function<void()> proceed) {
    if (!session_->isModified()) return proceed();
    proceed_ = std::move(proceed);
    before_ = before;
    showQuestion(before);
}

bool CloseGuard::mayClose() {
    if (!session_->isModified()) {
        const QString other = session_->otherModified();
        if (!other.isEmpty()) Q_EMIT modelAsked(other);
        if (!session_->isModified()) return true;
    }
    ask(tr("before closing"), [this] {
        session_->discard();  // what is saved is not affected
        window_->close();
    });
    return false;
}

void CloseGuard::showQuestion(const QString& before) {
    if (question_) question_->deleteLater();
    question_ = new QMessageBox(QMessageBox::Warning, tr("Unsaved Changes"),
                                tr("Save the changes to '%1' %2?").arg(session_->displayName(), before),
                                QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window_);
    question_->setInformativeText(tr("Discarding loses unsaved results and marks."));
    question_->setObjectName(QStringLiteral("unsavedChanges"));
    question_->setAttribute(Qt::WA_DeleteOnClose);
    question_->setDefaultButton(QMessageBox::Save);
    question_->setEscapeButton(QMessageBox::Cancel);
    question_->button(QMessageBox::Save)->setText(session_->file().isEmpty() ? tr("&Save As…") : tr("&Save"));
    question_->button(QMessageBox::Discard)->setText(tr("&Discard"));
    connect(question_->button(QMessageBox::Save), &QPushButton::clicked, session_, &SessionController::save,
            Qt::QueuedConnection);  // the file dialog opens when this one has closed
    connect(
        question_->button(QMessageBox::Discard), &QPushButton::clicked, this,
        [this] {
            if (const auto proceed = std::exchange(proceed_, {})) proceed();
        },
        Qt::QueuedConnection);
    connect(question_, &QDialog::rejected, this, [this] { proceed_ = {}; });
    question_->open();
}

void CloseGuard::onSaveEnded(bool saved) {
    const bool asking = question_ && question_->isVisible();  // what was started before has ended
    if (asking && !saved) return;
    const auto proceed = std::exchange(proceed_, {});
    if (asking) question_->close();
    if (saved && proceed) ask(before_, proceed);  // again, if there were changes meanwhile
}

}  // namespace aotscope
