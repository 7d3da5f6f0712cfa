#pragma once

#include "record/compile_record.h"
#include "record/results/results.h"

#include <QString>

namespace aotscope {

/// What the status bar says of a run: which graph is shown, and its figures. `record` has the partition that is shown:
/// the compiled one, or that of a what-if. `operations`: of the graph that is compiled. `timing` may be null.
QString summaryLine(const CompileRecord& record, GraphKind shown, std::size_t operations, bool whatIf,
                    const TimingResult* timing);

}  // namespace aotscope
