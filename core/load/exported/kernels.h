#pragma once

#include "execute/plan.h"
#include "load/exported/graph.h"

namespace aotscope {

/// Plans the graph of an exported program for `device`. The arguments must outlive the rules.
PlanRules rulesOf(const ExportedGraph& graph, const ForeignOperators& foreign, c10::Device device);

/// copy_ for the end of "self.steps += 1" and "x[1:] += 1", which write in place first: does nothing if it would copy a
/// tensor onto itself. Such a copy would only increment the version counter, so that the backward would fail where that
/// of Python, which assigns a name or copies only in eager, does not.
void copyInto(const at::Tensor& target, const at::Tensor& source);

/// Sizes in the file for results of operators, for the user inputs `leaves` of one run, in the calling thread.
class RecordedSizes {
public:
    RecordedSizes(const std::map<std::string, SymbolPlace>& symbols, const std::vector<c10::IValue>& leaves);
    ~RecordedSizes();
    RecordedSizes(const RecordedSizes&) = delete;
    RecordedSizes& operator=(const RecordedSizes&) = delete;

    static const RecordedSizes* current();
    /// Throws Error for a size that depends on those of the inputs in an unknown way.
    KnownResult resultOf(const exported::TensorMeta& type, const std::string& op) const;

private:
    std::int64_t sizeOf(const exported::Integer& size, const std::string& op) const;

    const RecordedSizes* around_;
    std::map<std::string, std::int64_t> values_;
    bool asExported_ = true;
};

}  // namespace aotscope
