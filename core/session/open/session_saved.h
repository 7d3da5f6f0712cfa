#pragma once

#include "load/model_source.h"
#include "session/session.h"

namespace aotscope {

/// A session from a session file. Nothing is compiled: its graphs are those of the file, whatever `options` say, except
/// that options.splitAgain repartitions its joint graph with options.partition. If `previous` is that session, options
/// that differ from its own count: the model, if it can be found, is compiled again with them; otherwise the saved
/// joint graph is repartitioned. Null if `source` is another file. Throws Error.
std::shared_ptr<const Session> openSaved(const Options& options, ModelSource source, const Progress& progress,
                                         const std::shared_ptr<const Session>& previous);

/// The graphs of two records are the same, those that one of them does not have aside.
bool sameGraphs(const CompileRecord& a, const CompileRecord& b);
/// Nothing but the partition is another in `options`.
bool onlyRepartitions(const Options& known, Options options);

/// The content of a session file for any session.
SessionContent contentOf(const Session& session, ModelReference model);

}  // namespace aotscope
