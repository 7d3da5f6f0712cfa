#pragma once

#include "controllers/sessions/recovery.h"
#include "controllers/sessions/session_writer.h"

#include <QElapsedTimer>
#include <QTimer>

namespace aotscope {

/// Keeps a copy of unsaved work in case the program ends: written in the background, soon after every change.
class Autosave : public QObject {
    Q_OBJECT

public:
    /// `unsaved`: the content to keep now (its file is filled in here); nothing: all is saved elsewhere.
    Autosave(std::function<std::optional<SaveRequest>()> unsaved, QObject* parent);
    ~Autosave() override;

    /// From now on, `delayMs` after a change. Writing never takes more than a tenth of the time.
    void start(int delayMs);
    /// The content to keep has changed.
    void changed();
    /// Waits until the copy is written or removed: the program is about to end.
    void writeNow();
    void removeNow();
    /// The copy is no longer needed: cancels writing it.
    void end();
    /// The file of the copy; empty if none is kept.
    QString file() const { return copy_ ? copy_->path() : QString(); }

    /// The lost session in `file` is open here. The file stays until the session is saved elsewhere.
    void adopt(const QString& file);
    void forgetAdopted();
    bool hasAdopted() const { return !adopted_.isEmpty(); }

Q_SIGNALS:
    /// Once for consecutive failures.
    void failed(std::exception_ptr error);

private:
    void later();
    void write();
    void onWritten(int revision);
    void onFailure(const std::exception_ptr& error);

    std::function<std::optional<SaveRequest>()> unsaved_;
    std::unique_ptr<RecoveryFile> copy_;
    QString adopted_;
    std::unique_ptr<QLockFile> adoptedLock_;
    int delayMs_ = 0;
    qint64 tookMs_ = 0;
    int revision_ = 0, written_ = 0;  ///< counts changes; the one in the copy
    bool failing_ = false;
    QElapsedTimer clock_;
    QTimer timer_;
    BackgroundJob job_;
};

}  // namespace aotscope
