#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QString>

#include <memory>
#include <vector>

namespace aotscope {

/// A session that was not saved before its program ended.
struct LostSession {
    QString file;
    QDateTime written;
    QString model;    ///< its name
    QString problem;  ///< why the file cannot be opened; empty: it can
};

/// The file in the application's data folder that one window saves to from time to time. A lock beside it shows that
/// the window is alive; both are removed with this object.
class RecoveryFile {
public:
    RecoveryFile();
    ~RecoveryFile();
    RecoveryFile(const RecoveryFile&) = delete;
    RecoveryFile& operator=(const RecoveryFile&) = delete;

    /// Empty if the folder cannot be created.
    const QString& path() const { return path_; }

    /// Sessions of ended windows, the latest first.
    static std::vector<LostSession> lost();
    static QString folder();
    static bool contains(const QString& file);
    /// While the lock lives, no other window is offered this lost session. Null: another window has it.
    static std::unique_ptr<QLockFile> claim(const QString& file);
    static void remove(const QString& file);

private:
    QString path_;
    std::unique_ptr<QLockFile> lock_;
};

}  // namespace aotscope
