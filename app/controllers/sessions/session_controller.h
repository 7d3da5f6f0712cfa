#pragma once

#include "controllers/sessions/autosave.h"
#include "controllers/settings.h"

#include <QAction>
#include <QMenu>
#include <QWidget>

#include <memory>
#include <vector>

namespace aotscope {

/// The session files of the models that are open in a window: saves to them, tracks unsaved changes, and keeps copies
/// in case the program ends unexpectedly. What is not said to be of all models is about the shown one.
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
    /// Another model will be shown: keeps the results of this one.
    void leave();
    /// A model that is not shown is closed: its unsaved changes are dropped.
    void close(const QString& opened);
    /// There is something new to save: a result, which another compilation of the model discards, or
    void touch();
    /// a mark, which stays.
    void touchMarks();

    /// Empty: never saved.
    const QString& file() const { return shown_->file; }
    bool isModified() const { return shown_->modified; }
    /// A model, as it was opened, that is not shown and has unsaved changes; empty: none.
    QString otherModified() const;
    bool isModified(const QString& opened) const;
    /// Whether the file of an open model is not as it was read.
    bool hasChanged(const QString& opened) const;
    bool busy() const { return saving_.running(); }
    /// Its title: the name of its file, or of its model.
    QString displayName() const;
    /// Discards changes since the last save.
    void discard();

    /// From now on, keeps a copy of unsaved changes.
    void startAutosave(int delayMs = 1500);
    /// The program is about to end without a question: the copies of all models have the unsaved changes, and only
    /// them.
    void keepForRecovery();
    /// The window was closed: waits until a file that is being saved is complete, and removes the copy.
    void end();
    /// The file of the copy; empty if none is kept.
    QString recoveryFile() const { return shown_->autosave->file(); }

public Q_SLOTS:
    void save();
    void saveAs();
    void saveWithModel();
    void saveTo(const QString& file, bool embedModel = false);

Q_SIGNALS:
    /// The unsaved changes of any model.
    void modifiedChanged();
    void savedTo(const QString& file);
    /// After savedTo(), or when saving ended without it: cancelled or failed.
    void saveEnded(bool saved);
    void failed(std::exception_ptr error);

private:
    /// What is known about the file of one model.
    struct Document {
        QString opened, file;           ///< the file to open or to save to
        FileState state;                ///< of the file when it was last read or written here
        std::optional<FileState> read;  ///< of what was opened, when it was read
        bool modified = false;
        bool marked = false;              ///< marks are unsaved
        int revision = 0;                 ///< counts changes
        std::optional<SaveRequest> left;  ///< what was unsaved when another model was shown
        std::unique_ptr<Autosave> autosave;
    };

    Document* find(const QString& opened) const;
    Document* addDocument(const QString& opened);
    QString askForFile();
    void start(const SaveRequest& request);
    void onSaved(Document& document, const QString& file, const FileState& state, int revision);
    void onFailure(const std::exception_ptr& error);
    void askAboutChange(const QString& why);
    void setModified(bool modified);
    std::optional<SaveRequest> unsaved(const Document& document) const;

    QWidget* window_;
    std::function<AddResults()> results_;
    std::vector<QAction*> actions_;
    Settings settings_;
    std::shared_ptr<const Session> session_;
    std::vector<std::unique_ptr<Document>> documents_;  ///< at least one: before a model is open, without a name
    Document* shown_ = nullptr;                         ///< one of them
    std::optional<int> autosaveDelayMs_;                ///< nothing: no copies are kept
    SaveRequest request_;                               ///< the last one, for repeated calls
    BackgroundJob saving_;
};

}  // namespace aotscope
