#pragma once

#include "controllers/sessions/recovery.h"
#include "controllers/sessions/session_writer.h"

#include <QElapsedTimer>
#include <QTimer>

namespace aotscope {

/// Keeps a copy of what a window would lose if its program ended: written in the background, soon after every change.
class Autosave : public QObject {
    Q_OBJECT

public:
    /// `unsaved`: what is to be kept now (its file is filled in here); nothing: all is safe elsewhere.
    Autosave(std::function<std::optional<SaveRequest>()> unsaved, QObject* parent);
    ~Autosave() override;

    /// From now on, `delayMs` after a change. Writing never takes more than a tenth of the time.
    void start(int delayMs);
    /// What is to be kept is not what it was.
    void changed();
    /// Waits until the copy is there, or until there is none: the program is about to end.
    void writeNow();
    void removeNow();
    /// No copy is needed any more: what is being written is given up.
    void end();
    /// Where the copy is; empty if none is kept.
    QString file() const { return copy_ ? copy_->path() : QString(); }

    /// The lost session in `file` is open here. It stays where it is until it is safe elsewhere.
    void adopt(const QString& file);
    void forgetAdopted();
    bool hasAdopted() const { return !adopted_.isEmpty(); }

Q_SIGNALS:
    /// Once for failures in a row.
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
    int revision_ = 0, written_ = 0;  ///< counts changes; the one that the copy has
    bool failing_ = false;
    QElapsedTimer clock_;
    QTimer timer_;
    BackgroundJob job_;
};

}  // namespace aotscope
