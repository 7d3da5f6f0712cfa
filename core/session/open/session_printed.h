#pragma once

#include "load/model_source.h"
#include "session/session.h"

namespace aotscope {

/// A session on graphs printed by Python, from a source that may contain them (see readPrinted). Null if it does not.
/// Sequences of passes are reported to `observer` unless it is null. Throws Error.
std::shared_ptr<const Session> openPrinted(const Options& options, ModelSource source, const Progress& progress,
                                           const std::shared_ptr<const Session>& previous, PassObserver* observer);

}  // namespace aotscope
