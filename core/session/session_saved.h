#pragma once

#include "session/session.h"

namespace aotscope {

/// A session on what a session file holds. Nothing is compiled: its graphs are those of the file, whatever `options`
/// say, except that with options.repartition its joint graph is split as options.partition says. If `previous` is that
/// session, options that differ from its own count: the model is compiled again with them where it can be found, and
/// where it cannot, another partition of the saved joint graph is made. Null when the file of `options` is no session
/// file. Throws Error.
std::shared_ptr<const Session> openSaved(const Options& options, const Progress& progress,
                                         const std::shared_ptr<const Session>& previous);

/// What a session file keeps of any session.
SessionContent contentOf(const Session& session, ModelReference model);

}  // namespace aotscope
