#pragma once

#include "record/results.h"
#include "support/progress.h"
#include "verify/workload.h"

#include <unordered_map>

namespace aotscope {

/// What the values of a run are compared with.
class ValueReference {
public:
    virtual ~ValueReference() = default;
    /// Nothing if `value` is as it should be, or there is nothing to compare it with.
    virtual std::optional<Difference> differs(const Node& node, const c10::IValue& value) const = 0;
    /// "eager"
    virtual std::string name() const = 0;
};

/// One eager run of the program, with the RNG state of the options' seed.
std::unique_ptr<ValueReference> eagerValues(const Workload& workload, const Options& options,
                                            std::shared_ptr<const CompileRecord> record);

/// The values of another run of the same model, by the ids that its nodes have there. `record` and `other` are those
/// of the two runs.
std::unique_ptr<ValueReference> valuesOfRun(std::unordered_map<NodeId, c10::IValue> values, const CompileRecord& record,
                                            const CompileRecord& other);

}  // namespace aotscope
