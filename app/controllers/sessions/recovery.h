#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QString>

#include <memory>
#include <vector>

namespace aotscope {

/// A session that a window did not get to save: its program ended without closing it.
struct LostSession {
    QString file;
    QDateTime written;
    QString model;    ///< its name
    QString problem;  ///< why the file cannot be opened; empty: it can
};

/// The file in the application's data folder into which one window saves from time to time. A lock beside it tells
/// others that the window lives; both go with this object.
class RecoveryFile {
public:
    RecoveryFile();
    ~RecoveryFile();
    RecoveryFile(const RecoveryFile&) = delete;
    RecoveryFile& operator=(const RecoveryFile&) = delete;

    /// Empty where no such folder can be made.
    const QString& path() const { return path_; }

    /// Of windows that do not live any more, the latest first.
    static std::vector<LostSession> lost();
    static QString folder();
    static bool contains(const QString& file);
    /// While the lock lives, nobody else is offered this lost session. Null: another window has it.
    static std::unique_ptr<QLockFile> claim(const QString& file);
    static void remove(const QString& file);

private:
    QString path_;
    std::unique_ptr<QLockFile> lock_;
};

}  // namespace aotscope
