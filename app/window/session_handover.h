#pragma once

#include "controllers/sessions/recovery_controller.h"
#include "controllers/sessions/session_controller.h"
#include "controllers/sessions/session_view.h"
#include "window/controllers.h"
#include "window/life/close_guard.h"

#include <map>

namespace aotscope {

/// Saves the state of the window to session files and restores it: results, and what is shown where.
class SessionHandover : public QObject {
    Q_OBJECT

public:
    SessionHandover(Workbench& bench, const Controllers& controllers);

    SessionController* file() const { return file_; }
    CloseGuard* guard() const { return guard_; }
    RecoveryController* recovery() const { return recovery_; }

    /// The window has another session, opened as `opened`: its file, and the results saved with it.
    void take(const QString& opened, const std::optional<FileState>& read);
    /// Another model is about to be shown: keeps the view of this one.
    void leave();
    /// A model that is not shown is closed.
    void close(const QString& opened);
    /// Restores the view stored in the file, or left with the model. Does nothing for a session without a file, or when
    /// called again.
    void restoreView();

private:
    void connectSignals();
    AddResults resultsToSave() const;
    SessionView view() const;
    void restoreColours(const SessionView& view);

    Workbench& bench_;
    const Controllers& all_;
    SessionController* file_;
    CloseGuard* guard_;
    RecoveryController* recovery_;
    std::optional<SessionView> viewToRestore_;
    std::map<QString, SessionView> left_;  ///< of the models that are not shown, by how they were opened
};

}  // namespace aotscope
