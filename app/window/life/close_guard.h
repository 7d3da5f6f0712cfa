#pragma once

#include <QObject>
#include <QPointer>

#include <functional>

class QMessageBox;
class QWidget;

namespace aotscope {

class SessionController;

/// Asks whether to save or discard unsaved changes before they would be lost, or to stay. Does not block.
class CloseGuard : public QObject {
    Q_OBJECT

public:
    CloseGuard(SessionController* session, QWidget* window);

    /// Calls `proceed` at once if nothing would be lost, else after the changes were saved or discarded. `before`: the
    /// action, as in "before closing".
    void ask(const QString& before, std::function<void()> proceed);
    /// False: a question is open. Saving or discarding then closes the window, cancelling keeps it. Asks for each
    /// model.
    bool mayClose();

Q_SIGNALS:
    /// Show this model: the question will be about it.
    void modelAsked(const QString& opened);

private:
    void showQuestion(const QString& before);
    void onSaveEnded(bool saved);

    SessionController* session_;
    QWidget* window_;
    QPointer<QMessageBox> question_;
    std::function<void()> proceed_;  ///< empty: nothing waits for an answer or for saving
    QString before_;
};

}  // namespace aotscope
