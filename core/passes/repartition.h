#pragma once

#include "record/compile_record.h"

namespace aotscope {

/// `record` with its joint graph split according to `options`, as the pipeline does it. Throws Error if there is no
/// joint graph or no such partition.
std::shared_ptr<const CompileRecord> repartition(const CompileRecord& record, const PartitionOptions& options);

}  // namespace aotscope
