#pragma once

#include "load/model_source.h"
#include "session/engine.h"

namespace aotscope {

/// A session from a session file. Nothing is compiled: its graphs are those of the file, regardless of `options`,
/// except that options.splitAgain repartitions its joint graph with options.partition. If `previous` is that session,
/// options that differ from its own apply: the model, if it can be found, is recompiled with them; otherwise the saved
/// joint graph is repartitioned. `engine` recompiles, and runs it. Null if `source` is another file. Throws Error.
std::shared_ptr<const Session> openSaved(const std::shared_ptr<const Engine>& engine, const Options& options,
                                         ModelSource source, const Progress& progress,
                                         const std::shared_ptr<const Session>& previous);

/// Whether two records have equal graphs, ignoring those that only one has.
bool sameGraphs(const CompileRecord& a, const CompileRecord& b);
/// Whether `options` differ only in the partition.
bool onlyRepartitions(const Options& known, Options options);

/// The contents of a session file for any session, with all plug-ins of its options: see dropUnusedPlugins.
SessionContent contentOf(const Session& session, ModelReference model);

}  // namespace aotscope
