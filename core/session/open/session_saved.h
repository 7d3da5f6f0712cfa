#pragma once

#include "load/model_source.h"
#include "session/session.h"

namespace aotscope {

/// A session from a session file. Nothing is compiled: its graphs are those of the file, regardless of `options`,
/// except that options.splitAgain repartitions its joint graph with options.partition. If `previous` is that session,
/// options that differ from its own apply: the model, if it can be found, is recompiled with them; otherwise the saved
/// joint graph is repartitioned. Null if `source` is another file. Throws Error.
std::shared_ptr<const Session> openSaved(const Options& options, ModelSource source, const Progress& progress,
                                         const std::shared_ptr<const Session>& previous);

/// Whether two records have equal graphs, ignoring those that only one has.
bool sameGraphs(const CompileRecord& a, const CompileRecord& b);
/// Whether `options` differ only in the partition.
bool onlyRepartitions(const Options& known, Options options);

/// The contents of a session file for any session.
SessionContent contentOf(const Session& session, ModelReference model);

}  // namespace aotscope
