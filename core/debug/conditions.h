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
    /// The enabled conditions that hold for none of `operations`, or if they test values, none of `values`, whatever
    /// these are.
    std::vector<std::string> impossible(const std::vector<QueryFacts>& operations,
                                        const std::vector<QueryFacts>& values) const;

    /// Whether any of them tests values.
    bool readValues() const;
    /// A breakpoint, and the node that it stops at.
    struct Hit {
        const DebugBreakpoint* breakpoint = nullptr;  ///< null: none stops
        const Node* node = nullptr;
    };
    /// The first one that stops before operations; `nodes`: they and the elements of their tuples. Counts hits.
    Hit before(const std::vector<QueryFacts>& nodes);
    /// The first one that stops after a node, whose value is in its facts. Counts hits.
    Hit after(const QueryFacts& node);

private:
    Hit test(const std::vector<QueryFacts>& nodes, bool values);

    std::vector<DebugBreakpoint> breakpoints_;
    std::vector<Query> queries_;
    std::vector<int> hits_;
};

}  // namespace aotscope
