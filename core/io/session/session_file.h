#pragma once

#include "io/session/content.h"
#include "load/files_here.h"
#include "record/model_kind.h"

#include <filesystem>
#include <string>

namespace aotscope {

inline constexpr int kSessionSchema = 2;  ///< up to 1, enumerators were numbers

/// A session file is a zip archive, as PyTorch writes its own:
///
///     session.json   schema, model and graphs in a few words, for users and for programs that only need a summary
///     content.cbor   everything (see encodeSession), deflated
///     model/NAME     the model's file, if requested
///
/// Any zip tool can open it, every record has a checksum, and the directory is at the end, so that a truncated file is
/// detected.

/// Writes `content` atomically (see writeFileAtomically); `models` reads the embedded model. On Error or cancellation,
/// the old file is unchanged.
void writeSessionFile(const std::filesystem::path& path, const SessionContent& content, const Progress& progress = {},
                      const FileAccess& models = *filesHere());

struct SessionSummary {
    std::string model;       ///< its name
    std::int64_t saved = 0;  ///< seconds since 1970
};

/// Reads the summary of a session file without the rest. Throws Error like readSessionFile.
SessionSummary readSessionSummary(const std::filesystem::path& path);

struct SessionFile {
    SessionContent content;
    std::string embeddedModel;  ///< the name of the record; empty if there is no embedded model
};

/// Throws Error, one sentence, for a file that is not a session, truncated, damaged, or written by a newer version.
SessionFile readSessionFile(const std::filesystem::path& path, const Progress& progress = {});

/// Extracts the model embedded in `session` into `folder` and returns its path. Throws Error.
std::filesystem::path extractModel(const std::filesystem::path& session, const std::string& record,
                                   const std::filesystem::path& folder);

}  // namespace aotscope
