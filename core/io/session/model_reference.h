#pragma once

#include "io/session/content.h"
#include "support/progress.h"

#include <mutex>

namespace aotscope {

/// When a file was last written; nothing for a sample.
using FileStamp = std::optional<std::filesystem::file_time_type>;
FileStamp fileStamp(const std::string& file);

/// The hash by which a model is known again: a name-based UUID (SHA-1) of the file's bytes, or of the samples' texts.
/// It tells versions of a file apart; it is no protection against somebody who wants to deceive. Reads the whole file:
/// not for the GUI thread. Throws Error.
std::string modelHash(const std::string& model);

/// Has the model's file put into the session file. Throws Error if it is not the one that the session was made from:
/// `content` may come from a file that names any path.
void embedModel(SessionContent& content);

/// What a session remembers of its model, found out when it is first asked for.
class CachedReference {
public:
    /// `stamp`: of the file when it was loaded. A file that has changed since has no hash.
    ModelReference get(const std::string& model, const FileStamp& stamp) const;

private:
    mutable std::mutex mutex_;
    mutable std::optional<ModelReference> known_;
};

}  // namespace aotscope
