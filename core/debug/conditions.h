#pragma once

#include "debug/debugger.h"
#include "query/query.h"

namespace aotscope {

/// The breakpoints of a run and their hit counts.
class Conditions {
public:
    const std::vector<DebugBreakpoint>& breakpoints() const { return breakpoints_; }
    const std::vector<int>& hits() const { return hits_; }
    /// Conditions that were there keep their hits. Throws Error for one that cannot be read.
    void set(std::vector<DebugBreakpoint> breakpoints);
    void forgetHits();

    /// Whether any of them tests values.
    bool readValues() const;
    /// The first one that stops before an operation; `nodes`: it and the elements of its tuple. Counts hits.
    const DebugBreakpoint* before(const std::vector<QueryFacts>& nodes);
    /// The first one that stops after a node, whose value is in its facts. Counts hits.
    const DebugBreakpoint* after(const QueryFacts& node);

private:
    const DebugBreakpoint* test(const std::vector<QueryFacts>& nodes, bool values);

    std::vector<DebugBreakpoint> breakpoints_;
    std::vector<Query> queries_;
    std::vector<int> hits_;
};

}  // namespace aotscope
