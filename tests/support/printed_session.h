// Sessions on printed graphs; null for other files.
#pragma once

#include "session/open/session_printed.h"

namespace aotscope::test {

inline std::shared_ptr<const Session> openPrinted(const Options& options, const Progress& progress,
                                                  const std::shared_ptr<const Session>& previous,
                                                  PassObserver* observer = nullptr) {
    const ModelSource source = recognise(options.model);
    return mayBePrinted(source) ? aotscope::openPrinted(options, source, progress, previous, observer) : nullptr;
}

}  // namespace aotscope::test
