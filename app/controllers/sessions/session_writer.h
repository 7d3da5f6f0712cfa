#pragma once

#include "controllers/background_job.h"
#include "session/session.h"

#include <QDateTime>
#include <QString>

#include <functional>

namespace aotscope {

/// Distinguishes one state of a file from another.
struct FileState {
    QDateTime written;
    qint64 size = -1;  ///< -1: there is no such file
    bool operator==(const FileState&) const = default;
};
FileState stateOf(const QString& file);

/// The file has changed since this window last read or wrote it.
class ChangedOnDisk : public Error {
public:
    explicit ChangedOnDisk(const QString& file);
};

/// What the window adds to the session when it is saved.
using AddResults = std::function<void(SessionContent&)>;

/// A session to be written. Everything is a copy or immutable: made for another thread.
struct SaveRequest {
    std::shared_ptr<const Session> session;
    AddResults addResults;
    QString file;
    std::optional<FileState> expected;  ///< the expected state; nothing: replace the file whatever its state
    bool embedModel = false;
};

/// Returns the state of the written file. Throws Error, ChangedOnDisk, or Cancelled, in which case nothing is written.
FileState save(const SaveRequest& request, const Progress& progress = {});

}  // namespace aotscope
