#include "controllers/sessions/recovery.h"

#include "crash/data_folder.h"
#include "io/session/session_file.h"
#include "models/words/to_qstring.h"
#include "record/model_kind.h"

#include <QDir>
#include <QUuid>

namespace aotscope {

namespace {

constexpr const char* kLockEnding = ".lock";
constexpr int kWritingSeconds = 60;  ///< a file that is being written changes more often

QString lockOf(const QString& file) { return file + QLatin1String(kLockEnding); }

/// A lock that is not refreshed while its process lives: its age is meaningless.
std::unique_ptr<QLockFile> lockFor(const QString& file) {
    auto lock = std::make_unique<QLockFile>(lockOf(file));
    lock->setStaleLockTime(0);
    return lock;
}

LostSession lostSessionIn(const QFileInfo& info) {
    LostSession session{info.filePath(), info.lastModified(), {}, {}};
    try {
        session.model = toQString(readSessionSummary(info.filePath().toStdString()).model);
    } catch (const std::exception& e) {
        session.problem = toQString(e.what());
    }
    return session;
}

/// Leftovers of a program that was killed while writing.
void removeLeftovers() {
    const QDateTime before = QDateTime::currentDateTime().addSecs(-kWritingSeconds);
    for (const QFileInfo& info : QDir(RecoveryFile::folder()).entryInfoList(QDir::Files | QDir::Hidden)) {
        const QString path = info.filePath();
        if (namesSessionFile(path.toStdString()) || info.lastModified() > before) continue;
        const bool isLock = path.endsWith(QLatin1String(kLockEnding));
        const QString session = path.chopped(static_cast<qsizetype>(qstrlen(kLockEnding)));
        qint64 process = 0;
        QString host, program;
        // A lock that names its process goes when that has ended; one without a name was never completely written.
        if (isLock && lockFor(session)->getLockInfo(&process, &host, &program)) lockFor(session)->tryLock(0);
        else QFile::remove(path);
    }
}

}  // namespace

QString RecoveryFile::folder() { return QString::fromStdString((dataFolder() / "recovery").string()); }

RecoveryFile::RecoveryFile() {
    if (!QDir().mkpath(folder())) return;
    removeLeftovers();
    const QString path =
        folder() + u'/' + QUuid::createUuid().toString(QUuid::WithoutBraces) + QString::fromLatin1(kSessionEnding);
    lock_ = lockFor(path);
    if (lock_->tryLock(0)) path_ = path;
}

RecoveryFile::~RecoveryFile() {
    if (!path_.isEmpty()) QFile::remove(path_);
}

std::vector<LostSession> RecoveryFile::lost() {
    std::vector<LostSession> sessions;
    const QStringList filter{u'*' + QString::fromLatin1(kSessionEnding)};
    for (const QFileInfo& info : QDir(folder()).entryInfoList(filter, QDir::Files, QDir::Time))
        if (claim(info.filePath())) sessions.push_back(lostSessionIn(info));
    return sessions;
}

bool RecoveryFile::contains(const QString& file) {
    return QFileInfo(file).absolutePath() == QFileInfo(folder()).absoluteFilePath();
}

std::unique_ptr<QLockFile> RecoveryFile::claim(const QString& file) {
    auto lock = lockFor(file);
    return lock->tryLock(0) ? std::move(lock) : nullptr;
}

void RecoveryFile::remove(const QString& file) {
    QFile::remove(file);
    QFile::remove(lockOf(file));
}

}  // namespace aotscope
