#pragma once

#include "compile/fused/operands.h"

#include <optional>
#include <vector>

namespace aotscope {

/// An operation in a candidate.
struct CandidateMember {
    std::shared_ptr<const FusibleOperation> operation;
    std::vector<int> space;  ///< for each dimension of the operation's space, that of the candidate; -1: of size one
    bool kept = false;       ///< depends on reductions alone: one value for each kept position

    /// The candidate's dimension for a dimension of the result; -1: of size one.
    int place(std::size_t dimension) const {
        const int own = operation->place[dimension];
        return own < 0 ? -1 : space[static_cast<std::size_t>(own)];
    }
    /// The candidate's dimension for a dimension of an operand.
    int place(const SeenTensor& operand, std::size_t dimension) const {
        return space[dimension + space.size() - operand.dimensions.size()];
    }
};

/// Operations over one space, in order of execution.
struct FusionCandidate {
    std::vector<SymExpr> sizes;
    std::vector<int> reduced;  ///< ascending
    std::vector<CandidateMember> members;

    /// Ascending: the dimensions along which values are accumulated at indices.
    std::vector<int> sequential() const;

    const CandidateMember* find(const Node* value) const;
    std::size_t instructions() const;
    std::size_t calls() const;
    bool isWorthAlone() const;
};

FusionCandidate candidateOf(std::vector<std::shared_ptr<const FusibleOperation>> results);

/// Both merged, if one kernel can compute both: members of `later` may read those of `earlier`.
std::optional<FusionCandidate> merged(const FusionCandidate& earlier, const FusionCandidate& later);

}  // namespace aotscope
