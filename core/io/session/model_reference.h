#pragma once

#include "io/session/content.h"
#include "load/files_here.h"

#include <mutex>

namespace aotscope {

/// When a file was last modified; nothing for a sample.
using FileStamp = std::optional<std::filesystem::file_time_type>;
FileStamp fileStamp(const std::string& file);

/// The hash that identifies a model: a name-based UUID (SHA-1) of the file's bytes, or of the samples' texts. Detects
/// changed files, but not deliberate forgery. Reads the whole file: not for the GUI thread. Throws Error, Cancelled.
std::string modelHash(const std::string& model, const FileAccess& models = *filesHere(), const Progress& progress = {});

/// Embeds the model's file, which `models` reads, in the session file. Throws Error if it is not the model of the
/// session: `content` may come from a file with an arbitrary path. Throws Cancelled.
void embedModel(SessionContent& content, const FileAccess& models = *filesHere(), const Progress& progress = {});

/// The identity of a session's model, computed on first use.
class CachedReference {
public:
    /// `stamp`: of the file when it was loaded. A file modified afterwards has no hash.
    ModelReference get(const std::string& model, const FileStamp& stamp) const;

private:
    mutable std::mutex mutex_;
    mutable std::optional<ModelReference> known_;
};

}  // namespace aotscope
