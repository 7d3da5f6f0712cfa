#include "window/pages/shown_run.h"

#include "io/text_report.h"

namespace aotscope {

void ShownRun::open(const std::shared_ptr<const Session>& session, bool reopened) {
    partial.reset();
    whatIf.reset();
    asked.reset();
    runs.show(session, reopened);
}

const std::shared_ptr<const Session>& ShownRun::session() const {
    static const std::shared_ptr<const Session> none;
    return runs.shown() ? runs.shown()->session : none;
}

const RunResults& ShownRun::results() const {
    static const RunResults none;
    return runs.shown() ? runs.shown()->results : none;
}

std::shared_ptr<const CompileRecord> ShownRun::record() const {
    return partial ? partial : session() ? session()->record() : nullptr;
}

PartitionOptions ShownRun::partitionOptions() const {
    if (partial || !session()) return {};
    return optionsOn(*record(), asked ? *asked : session()->options().partition);
}

std::vector<CompilerUse> ShownRun::compilers() const {
    const auto shown = record();
    return shown ? compilersIn(*shown, check(), timing()) : std::vector<CompilerUse>();
}

}  // namespace aotscope
