#pragma once

#include "session/session.h"

namespace aotscope {

/// What can be shown without LibTorch: session files, graphs printed by Python, folders of them, TORCH_TRACE logs, and
/// what another machine compiles. Their graphs are drawn, searched, compared and split, but do not run here. Otherwise
/// like Session::open; for a model, throws Error.
std::shared_ptr<const Session> openWithoutEngine(const Options& options, const Progress& progress,
                                                 const std::shared_ptr<const Session>& previous = nullptr,
                                                 PassObserver* observer = nullptr);

}  // namespace aotscope
