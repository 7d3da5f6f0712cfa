#pragma once

#include "models/metadata_links.h"

#include <QString>
#include <set>
#include <vector>

namespace aotscope {

/// Values that share memory after the compiled function has returned: inputs, outputs and bases that are views of each
/// other, and what the graph computes in the same memory.
struct MemoryGroup {
    QString tag;                    ///< "A", "B", ...
    QString members;                ///< "x, output 0"
    std::set<NodeId> nodes;         ///< of the graph
    std::set<std::size_t> outputs;  ///< of the user
};

/// Groups of more than one input, output or base, in the order of their first members. Memory visible only inside the
/// graph, such as that of a transposed weight, makes no group.
std::vector<MemoryGroup> memoryGroups(const Graph& graph, const MetadataLinks& links, const FunctionMetadata& function);

}  // namespace aotscope
