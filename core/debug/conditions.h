#pragma once

#include "debug/debugger.h"
#include "query/query.h"

namespace aotscope {

/// The breakpoints of a run and their hit counts.
class Conditions {
public:
    const std::vector<DebugBreakpoint>& breakpoints() const { return breakpoints_; }
    const std::vector<int>& hits() const { return hits_; }
    /// Conditions that are already set keep their hits. Throws Error for an invalid condition.
    void set(std::vector<DebugBreakpoint> breakpoints);
    void forgetHits();
    /// The enabled conditions that no element of `operations` or, if they test values, of `values` can meet, for any
    /// values.
    std::vector<std::string> impossible(const std::vector<QueryFacts>& operations,
                                        const std::vector<QueryFacts>& values) const;

    /// Whether any condition tests values.
    bool readValues() const;
    /// A breakpoint and the node that it stops at.
    struct Hit {
        const DebugBreakpoint* breakpoint = nullptr;  ///< null: no breakpoint stops
        const Node* node = nullptr;
    };
    /// The first breakpoint that stops before operations; `nodes`: they and the elements of their tuples. Counts hits.
    Hit before(const std::vector<QueryFacts>& nodes);
    /// The first breakpoint that stops after a node; the node's facts include its value. Counts hits.
    Hit after(const QueryFacts& node);

private:
    Hit test(const std::vector<QueryFacts>& nodes, bool values);

    std::vector<DebugBreakpoint> breakpoints_;
    std::vector<Query> queries_;
    std::vector<int> hits_;
};

}  // namespace aotscope
