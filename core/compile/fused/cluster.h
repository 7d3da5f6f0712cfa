#pragma once

#include "compile/fused/operands.h"

#include <optional>
#include <vector>

namespace aotscope {

/// An operation in a cluster.
struct ClusterMember {
    std::shared_ptr<const FusibleOperation> operation;
    std::vector<int> space;  ///< for each dimension of the operation's space that of the cluster; -1: of size one
    bool kept = false;       ///< its value follows from reductions alone: there is one for each kept position

    /// For each dimension of the result that of the cluster.
    int place(std::size_t dimension) const { return space[static_cast<std::size_t>(operation->place[dimension])]; }
    /// For the dimension of an operand that of the cluster.
    int place(const SeenTensor& operand, std::size_t dimension) const {
        return space[dimension + space.size() - operand.dimensions.size()];
    }
};

/// Operations over one space, in the order in which they run.
struct Cluster {
    std::vector<SymExpr> sizes;
    std::vector<int> reduced;  ///< ascending
    std::vector<ClusterMember> members;

    const ClusterMember* find(const Node* value) const;
    std::size_t instructions() const;
    std::size_t calls() const;
};

Cluster clusterOf(std::vector<std::shared_ptr<const FusibleOperation>> results);

/// Both as one, if one kernel can compute both: the members of `later` may read those of `earlier`.
std::optional<Cluster> merged(const Cluster& earlier, const Cluster& later);

}  // namespace aotscope
