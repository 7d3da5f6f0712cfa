#pragma once

#include "cost/book/operator_book.h"
#include "record/compile_record.h"
#include "record/results/measured_operators.h"
#include "support/progress.h"

#include <functional>
#include <string>

namespace aotscope {

/// Receives each entry when it is measured.
using EntrySink = std::function<void(const OperatorEntry&)>;

/// Runs the operations of the record's executed graphs by themselves, each signature that `book` has no undisturbed
/// measurement of once, on made-up operands of its sizes, for a fraction of a second each. Left out are operations that
/// are not LibTorch's, draw random numbers, check or print, depend on data, or do not fit into memory.
MeasuredOperators measureAlone(const CompileRecord& record, const OperatorBook& book, const std::string& device,
                               const EntrySink& keep, const Progress& progress);

}  // namespace aotscope
