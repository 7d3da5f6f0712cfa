#include "controllers/debugging/pipeline_pause.h"

namespace aotscope {

void PipelinePause::betweenPasses(const CompileRecord& record, std::string_view next, const Progress& progress) {
    auto hit = testBreakpoints(breakpoints_, record, next);
    std::unique_lock lock(mutex_);
    if (!hit && stepping_ && !next.empty())
        hit = BreakpointHit{0, "one step: the pass '" + std::string(next) + "' is next", {}};
    if (!hit) return;
    waiting_ = true;
    Q_EMIT stopped(
        std::make_shared<const PipelineStop>(PipelineStop{std::make_shared<const CompileRecord>(record), *hit}));
    if (!changed_.wait(lock, progress.token(), [this] { return !waiting_; })) throw Cancelled();
}

void PipelinePause::resume(bool step) {
    const std::scoped_lock lock(mutex_);
    stepping_ = step;
    waiting_ = false;
    changed_.notify_all();
}

}  // namespace aotscope
