#pragma once

#include "record/compile_record.h"
#include "support/progress.h"

#include <optional>

namespace aotscope {

/// Looks on while the pipeline runs, on its thread.
class PassObserver {
public:
    virtual ~PassObserver() = default;
    /// Between two passes: `record` is as far as it has come, `next` the pass that is about to run, none after the
    /// last. May take its time, which counts for no pass. Throws Cancelled to end the run.
    virtual void betweenPasses(const CompileRecord& record, std::optional<PassId> next, const Progress& progress) = 0;
};

}  // namespace aotscope
