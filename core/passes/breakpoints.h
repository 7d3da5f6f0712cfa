#pragma once

#include "passes/pass_names.h"
#include "record/pass_graphs.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// Where the pipeline should stop.
struct Breakpoint {
    enum class When : std::uint8_t { passStarts, nodeAppears, nodeChanges, nodeDies } when = When::passStarts;
    std::string what;  ///< the pass, or a query for the node
    bool enabled = true;
    bool operator==(const Breakpoint&) const = default;
};
/// "a node is removed"
std::string_view describe(Breakpoint::When when);

/// Why the pipeline stopped, and the relevant node.
struct BreakpointHit {
    std::size_t breakpoint = 0;
    std::string reason;  ///< "the pass 'dead-code' has removed %exp"
    std::optional<PassGraph> where;
    NodeId node = kNoNode;
};

/// The passes of the pipeline, and those of `record` that Python printed; `record` may be null.
std::vector<std::string> passesToPauseAt(const CompileRecord* record);

/// Throws Error for an invalid query or an unknown pass. `passes`: the existing ones.
void requireValid(const Breakpoint& breakpoint, const std::vector<std::string>& passes = passNames());

/// The first of `breakpoints` that applies between the last pass of `record` and the pass `next`, if any.
std::optional<BreakpointHit> testBreakpoints(const std::vector<Breakpoint>& breakpoints, const CompileRecord& record,
                                             std::string_view next);

}  // namespace aotscope
