#pragma once

#include "controllers/sessions/recovery_controller.h"
#include "controllers/sessions/session_controller.h"
#include "controllers/sessions/session_view.h"
#include "window/controllers.h"
#include "window/life/close_guard.h"

namespace aotscope {

/// What of the window goes into a session file, and how it comes back: results, and what is shown where.
class SessionHandover : public QObject {
    Q_OBJECT

public:
    SessionHandover(Workbench& bench, const Controllers& controllers);

    SessionController* file() const { return file_; }
    CloseGuard* guard() const { return guard_; }
    RecoveryController* recovery() const { return recovery_; }

    /// The window has another session now, opened as `opened`: its file, and the results that it was saved with.
    void take(const QString& opened, const std::optional<FileState>& read);
    /// As the file's writer saw it. Does nothing for a session that comes from no file, and the second time.
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
};

}  // namespace aotscope
