#pragma once

#include "record/compile_record.h"
#include "support/progress.h"

#include <string_view>

namespace aotscope {

/// Observes the pipeline while it runs, on its thread.
class PassObserver {
public:
    virtual ~PassObserver() = default;
    /// Between two passes: `record` is the record so far, `next` the name of the pass about to run, empty after the
    /// last. May block; the time is not attributed to a pass. Throws Cancelled to end the run.
    virtual void betweenPasses(const CompileRecord& record, std::string_view next, const Progress& progress) = 0;
};

}  // namespace aotscope
