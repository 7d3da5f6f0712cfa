#pragma once

#include "io/session/content.h"
#include "support/progress.h"

#include <filesystem>
#include <string>

namespace aotscope {

inline constexpr int kSessionSchema = 1;
inline constexpr const char* kSessionEnding = ".aotscope";

/// A session file is a zip archive, as PyTorch writes its own:
///
///     session.json   schema, model and graphs in a few words, for people and for programs that only look
///     content.cbor   everything (see encodeSession), deflated
///     model/NAME     the model's file, if it was asked for
///
/// Anyone can look into it, every record has a checksum, and the directory is at the end: a file that is cut off shows.

/// Whether the file begins like one. Cheap; false also for what cannot be read.
bool isSessionFile(const std::filesystem::path& path);

/// Writes `content` atomically (see writeFileAtomically). Throws Error; then the old file is as it was.
void writeSessionFile(const std::filesystem::path& path, const SessionContent& content);

struct SessionSummary {
    std::string model;       ///< its name
    std::int64_t saved = 0;  ///< in seconds since 1970
};

/// What a session file says of itself in a few words, without reading the rest. Throws Error as readSessionFile does.
SessionSummary readSessionSummary(const std::filesystem::path& path);

struct SessionFile {
    SessionContent content;
    std::string embeddedModel;  ///< the name of the record; empty: none
};

/// Throws Error, one sentence, for a file that is no session, cut off, damaged, or of a newer program.
SessionFile readSessionFile(const std::filesystem::path& path, const Progress& progress = {});

/// Writes the model that `session` carries along into `folder` and returns its path. Throws Error.
std::filesystem::path extractModel(const std::filesystem::path& session, const std::string& record,
                                   const std::filesystem::path& folder);

}  // namespace aotscope
