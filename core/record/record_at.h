#pragma once

#include "record/compile_record.h"

#include <memory>

namespace aotscope {

/// The values of all symbols in the example inputs.
SymbolValues hintsOf(const CompileRecord& record);

/// The record as though its example inputs had had these sizes, for figures of memory and time: the graphs that a run
/// executes, partition and metadata. The values of symbols that `values` lacks are those of the example. Decisions and
/// the flow network of the partition are left out, other graphs and the passes are those of the example, and nothing is
/// known of the costs of its operations. Nothing is traced or allocated. Throws Error for an unknown symbol.
std::shared_ptr<CompileRecord> recordAt(const CompileRecord& record, const SymbolValues& values);

}  // namespace aotscope
