#pragma once

#include "execute/plan.h"
#include "load/exported/graph.h"

namespace aotscope {

/// How the graph of an exported program runs on `device`. The arguments must outlive the rules.
PlanRules rulesOf(const ExportedGraph& graph, const ForeignOperators& foreign, c10::Device device);

/// copy_ as the end of "self.steps += 1" and "x[1:] += 1" needs it, which write in place first: nothing is done where
/// `target` would get what it has. All that such a copy changes is the version by which autograd finds overwritten
/// values, so that the backward would fail where Python's, which assigns a name or runs the copy in eager only, does
/// not.
void copyInto(const at::Tensor& target, const at::Tensor& source);

/// Sizes that the file has for results of operators, for the user inputs `leaves` of one run, in the calling thread.
class RecordedSizes {
public:
    RecordedSizes(const std::map<std::string, SymbolPlace>& symbols, const std::vector<c10::IValue>& leaves);
    ~RecordedSizes();
    RecordedSizes(const RecordedSizes&) = delete;
    RecordedSizes& operator=(const RecordedSizes&) = delete;

    static const RecordedSizes* current();
    /// Throws Error for a size that follows from those of the inputs in a way that is not known.
    KnownResult resultOf(const exported::TensorMeta& type, const std::string& op) const;

private:
    std::int64_t sizeOf(const exported::Integer& size, const std::string& op) const;

    const RecordedSizes* around_;
    std::map<std::string, std::int64_t> values_;
    bool asExported_ = true;
};

}  // namespace aotscope
