#include "window/pages/shown_run.h"

#include "io/text_report.h"

namespace aotscope {

void ShownRun::open(std::shared_ptr<const Session> opened) {
    *this = {};
    session = std::move(opened);
}

std::shared_ptr<const CompileRecord> ShownRun::record() const {
    return partial ? partial : session ? session->record() : nullptr;
}

PartitionOptions ShownRun::partitionOptions() const {
    if (partial || !session) return {};
    return optionsOn(*record(), asked ? *asked : session->options().partition);
}

std::vector<CompilerUse> ShownRun::compilers() const {
    const auto shown = record();
    return shown ? compilersIn(*shown, check(), timing()) : std::vector<CompilerUse>();
}

}  // namespace aotscope
