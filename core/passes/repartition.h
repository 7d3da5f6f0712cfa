#pragma once

#include "record/compile_record.h"

namespace aotscope {

/// `record` with its joint graph split as `options` say, as the pipeline would have done it. Throws Error where there
/// is no joint graph or no such partition.
std::shared_ptr<const CompileRecord> repartition(const CompileRecord& record, const PartitionOptions& options);

}  // namespace aotscope
