#pragma once

#include "record/partition.h"

#include <map>
#include <string>
#include <vector>

namespace aotscope {

/// A value that two partitions of one joint graph place differently.
struct PlacementChange {
    NodeId node = kNoNode;
    std::string name, op;
    std::string label;  ///< the user's name of an input
    ValueDecision::Placement before = ValueDecision::Placement::forwardOnly,
                             after = ValueDecision::Placement::forwardOnly;
    std::int64_t bytes = 0;
    std::string reason;  ///< of the new placement
};

/// Counts in two partitions.
struct CountChange {
    int before = 0, after = 0;
    bool operator==(const CountChange&) const = default;
};

struct PartitionDifference {
    std::vector<PlacementChange> values;                         ///< in order of the joint graph
    std::map<std::string, CountChange> forwardOps, backwardOps;  ///< only operations whose number changes
    std::map<std::string, CountChange> savedOps, recomputedOps;
    std::int64_t savedBytesBefore = 0, savedBytesAfter = 0;            ///< counted as in PartitionFigures
    std::int64_t recomputedBytesBefore = 0, recomputedBytesAfter = 0;  ///< of the results computed twice

    bool collectivesMoved = false;  ///< the same operations in another order

    bool empty() const {
        return values.empty() && forwardOps.empty() && backwardOps.empty() && savedOps.empty() && !collectivesMoved;
    }
};

/// Both must be of the same joint graph, and not printed.
PartitionDifference compare(const Partition& before, const Partition& after);

}  // namespace aotscope
