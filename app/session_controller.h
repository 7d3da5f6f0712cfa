#pragma once

#include "recovery.h"
#include "session_writer.h"
#include "settings.h"

#include <QAction>
#include <QMenu>
#include <QTimer>
#include <QWidget>

namespace aotscope {

/// The session file of a window: saves into it, knows whether there is anything to save, and keeps a copy for the case
/// that the program ends without being asked to.
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
    /// There is something new to save.
    void touch();

    /// Empty: the session has never been saved.
    const QString& file() const { return file_; }
    bool isModified() const { return modified_; }
    bool busy() const { return saving_.running(); }
    /// Asks what is to become of changes to a session file. False: the window stays.
    bool mayClose();

    /// From now on, a copy is kept: soon after every compile, and every few minutes if something has changed.
    void startAutosave(int intervalMs = 3 * 60 * 1000);
    void autosave();
    /// Where the copy is; empty if none is kept.
    QString recoveryFile() const { return recovery_ ? recovery_->path() : QString(); }
    /// Offers sessions that were lost, if there are any.
    void offerRecovery();

public Q_SLOTS:
    void save();
    void saveAs();
    void saveWithModel();
    void saveTo(const QString& file, bool embedModel = false);

Q_SIGNALS:
    void modifiedChanged();
    void savedTo(const QString& file);
    void failed(std::exception_ptr error);
    void openRequested(const QString& file);

private:
    QString askForFile();
    void start(SaveRequest request);
    void onSaved(const QString& file, const FileState& state, int revision);
    void onFailure(const std::exception_ptr& error);
    void askAboutChange(const QString& why);
    void setModified(bool modified);
    void forgetRecovered();

    QWidget* window_;
    std::function<AddResults()> results_;
    std::vector<QAction*> actions_;
    Settings settings_;
    std::shared_ptr<const Session> session_;
    QString opened_, file_;  ///< what the window was asked to open; what Save writes
    QString recovered_;      ///< a lost session that is open here and not saved yet
    FileState state_;        ///< of the file when it was last read or written here
    bool modified_ = false, closeWhenSaved_ = false;
    int revision_ = 0, autosaved_ = 0;  ///< counts changes; the one that the copy has
    SaveRequest request_;               ///< the last one, in case that it is asked again
    std::unique_ptr<RecoveryFile> recovery_;
    QTimer autosaveTimer_, soon_;
    BackgroundJob saving_, autosaving_;
};

}  // namespace aotscope
