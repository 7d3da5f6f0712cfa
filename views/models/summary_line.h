#pragma once

#include "record/compile_record.h"
#include "record/results/results.h"

#include <QString>

namespace aotscope {

/// The text of the status bar about a run: the shown graph, and its figures. `record` has the shown partition: the
/// compiled one, or that of a what-if. `operations`: of the compiled graph. `timing` may be null.
QString summaryLine(const CompileRecord& record, GraphKind shown, std::size_t operations, bool whatIf,
                    const TimingResult* timing);

}  // namespace aotscope
