// Sessions on printed graphs, whatever is in their file.
#pragma once

#include "session/open/session_printed.h"

namespace aotscope::test {

inline std::shared_ptr<const Session> openPrinted(const Options& options, const Progress& progress,
                                                  const std::shared_ptr<const Session>& previous,
                                                  PassObserver* observer = nullptr) {
    return aotscope::openPrinted(options, recognise(options.model), progress, previous, observer);
}

}  // namespace aotscope::test
