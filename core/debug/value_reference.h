#pragma once

#include "verify/judge/reference_values.h"
#include "verify/model_run.h"

#include <unordered_map>

namespace aotscope {

/// One eager run of the program, with the RNG state of the options' seed.
std::unique_ptr<ReferenceValues> eagerValues(const ModelRun& modelRun, const Options& options,
                                             std::shared_ptr<const CompileRecord> record);

/// The values of another run of the same model, found by node ids. `record` and `other` belong to the two runs.
std::unique_ptr<ReferenceValues> valuesOfRun(std::unordered_map<NodeId, c10::IValue> values,
                                             const CompileRecord& record, const CompileRecord& other);

}  // namespace aotscope
