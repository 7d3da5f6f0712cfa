#pragma once

#include "cost/book/operator_book.h"
#include "record/compile_record.h"
#include "record/results/results.h"

namespace aotscope {

/// What `book` knows of the operations in all graphs of a record, subgraphs included.
OperatorCosts costsIn(const OperatorBook& book, const CompileRecord& record, int threads);

/// What a timed run shows: an entry for each signature whose operations ran one by one.
std::vector<OperatorEntry> entriesOf(const TimingResult& timing, const CompileRecord& record);

}  // namespace aotscope
