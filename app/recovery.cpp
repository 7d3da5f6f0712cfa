#include "recovery.h"

#include "io/session/session_file.h"

#include <QDir>
#include <QStandardPaths>
#include <QUuid>

namespace aotscope {

namespace {

QString lockOf(const QString& file) { return file + QStringLiteral(".lock"); }

/// A lock that nobody refreshes while its process lives: its age says nothing.
std::unique_ptr<QLockFile> lockFor(const QString& file) {
    auto lock = std::make_unique<QLockFile>(lockOf(file));
    lock->setStaleLockTime(0);
    return lock;
}

}  // namespace

QString RecoveryFile::folder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/recovery");
}

RecoveryFile::RecoveryFile() {
    if (!QDir().mkpath(folder())) return;
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
    for (const QFileInfo& info : QDir(folder()).entryInfoList(filter, QDir::Files, QDir::Time)) {
        const auto lock = lockFor(info.filePath());
        if (lock->tryLock(0)) sessions.push_back({info.filePath(), info.lastModified()});
    }
    return sessions;
}

bool RecoveryFile::contains(const QString& file) {
    return QFileInfo(file).absolutePath() == QFileInfo(folder()).absoluteFilePath();
}

void RecoveryFile::remove(const QString& file) {
    QFile::remove(file);
    QFile::remove(lockOf(file));
}

}  // namespace aotscope
