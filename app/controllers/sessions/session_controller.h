#pragma once

#include "controllers/sessions/autosave.h"
#include "controllers/settings.h"

#include <QAction>
#include <QMenu>
#include <QWidget>

namespace aotscope {

/// The session file of a window: saves to it, tracks unsaved changes, and keeps a copy in case the program ends
/// unexpectedly.
class SessionController : public QObject {
    Q_OBJECT

public:
    /// `results`: what to save beside the session, now; the function it returns runs on another thread.
    SessionController(QWidget* window, std::function<AddResults()> results);

    void addActionsTo(QMenu* menu);
    const std::vector<QAction*>& actions() const { return actions_; }

    /// Another session is shown: of the file `opened` if it was opened from one (`saved`), else a new one. `read`:
    /// state of that file before it was just read; nothing: not read.
    void setSession(std::shared_ptr<const Session> session, const QString& opened,
                    const std::optional<FileState>& read);
    /// There is something new to save: a result, which another compilation of the model discards, or
    void touch();
    /// a mark, which stays.
    void touchMarks();

    /// Empty: never saved.
    const QString& file() const { return file_; }
    bool isModified() const { return modified_; }
    bool busy() const { return saving_.running(); }
    /// Its title: the name of its file, or of its model.
    QString displayName() const;
    /// Discards changes since the last save.
    void discard();

    /// From now on, keeps a copy of unsaved changes.
    void startAutosave(int delayMs = 1500) { autosave_.start(delayMs); }
    /// The program is about to end without a question: the copy has the unsaved changes, and only them.
    void keepForRecovery() { modified_ ? autosave_.writeNow() : autosave_.removeNow(); }
    /// The window was closed: waits until a file that is being saved is complete, and removes the copy.
    void end();
    /// The file of the copy; empty if none is kept.
    QString recoveryFile() const { return autosave_.file(); }

public Q_SLOTS:
    void save();
    void saveAs();
    void saveWithModel();
    void saveTo(const QString& file, bool embedModel = false);

Q_SIGNALS:
    void savedTo(const QString& file);
    /// After savedTo(), or when saving ended without it: cancelled or failed.
    void saveEnded(bool saved);
    void failed(std::exception_ptr error);

private:
    QString askForFile();
    void start(const SaveRequest& request);
    void onSaved(const QString& file, const FileState& state, int revision);
    void onFailure(const std::exception_ptr& error);
    void askAboutChange(const QString& why);
    void setModified(bool modified);
    std::optional<SaveRequest> unsaved() const;

    QWidget* window_;
    std::function<AddResults()> results_;
    std::vector<QAction*> actions_;
    Settings settings_;
    std::shared_ptr<const Session> session_;
    QString opened_, file_;  ///< the file to open or to save to
    FileState state_;        ///< of the file when it was last read or written here
    bool modified_ = false;
    bool marked_ = false;  ///< marks are unsaved
    int revision_ = 0;     ///< counts changes
    SaveRequest request_;  ///< the last one, for repeated calls
    BackgroundJob saving_;
    Autosave autosave_;
};

}  // namespace aotscope
