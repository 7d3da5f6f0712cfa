#pragma once

#include "controllers/sessions/autosave.h"
#include "controllers/settings.h"

#include <QAction>
#include <QMenu>
#include <QWidget>

namespace aotscope {

/// The session file of a window: saves into it, knows whether there is anything to save, and has a copy kept for the
/// case that the program ends without being asked to.
class SessionController : public QObject {
    Q_OBJECT

public:
    /// `results`: what there is to save beside the session, now; what it returns runs on another thread.
    SessionController(QWidget* window, std::function<AddResults()> results);
    ~SessionController() override;

    void addActionsTo(QMenu* menu);
    const std::vector<QAction*>& actions() const { return actions_; }

    /// Another session is shown: of the file `opened` if it was opened from one (`saved`), else a new one. `read`: what
    /// that file was like before it was read just now; nothing: it was not.
    void setSession(std::shared_ptr<const Session> session, const QString& opened,
                    const std::optional<FileState>& read);
    /// There is something new to save: a result, which another compilation of the model makes void, or
    void touch();
    /// a mark, which stays.
    void touchMarks();

    /// Empty: the session has never been saved.
    const QString& file() const { return file_; }
    bool isModified() const { return modified_; }
    bool busy() const { return saving_.running(); }
    /// How a person knows it: the name of its file, or of its model.
    QString displayName() const;
    /// Changes since it was last saved are given up.
    void discard();

    /// From now on, a copy of what is not saved is kept.
    void startAutosave(int delayMs = 1500) { autosave_.start(delayMs); }
    /// The program is about to end without a question: unsaved changes, and only they, are in the copy.
    void keepForRecovery() { modified_ ? autosave_.writeNow() : autosave_.removeNow(); }
    /// The window is closed: waits until a file that is being saved is complete, and removes the copy.
    void end();
    /// Where the copy is; empty if none is kept.
    QString recoveryFile() const { return autosave_.file(); }

public Q_SLOTS:
    void save();
    void saveAs();
    void saveWithModel();
    void saveTo(const QString& file, bool embedModel = false);

Q_SIGNALS:
    void savedTo(const QString& file);
    /// After savedTo(), or when it came to nothing: a person or an error stopped it.
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
    QString opened_, file_;  ///< what the window was asked to open; what Save writes
    FileState state_;        ///< of the file when it was last read or written here
    bool modified_ = false;
    bool marked_ = false;  ///< there are marks that are not saved
    int revision_ = 0;     ///< counts changes
    SaveRequest request_;  ///< the last one, in case that it is asked again
    BackgroundJob saving_;
    Autosave autosave_;
};

}  // namespace aotscope
