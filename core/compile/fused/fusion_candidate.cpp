#include "compile/fused/fusion_candidate.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace aotscope {

namespace {

bool isOneAt(const Node& value, int dimension) {
    return isOne(sizeOf(*value.type.tensor(), static_cast<std::size_t>(dimension)));
}

/// Maps the dimensions of one space to those of another.
class Alignment {
public:
    Alignment(const FusionCandidate& to, const FusionCandidate& from)
        : to_(to), from_(from), match_(from.sizes.size(), -1), taken_(to.sizes.size(), false) {}

    /// Nothing if a dimension of `from` has no counterpart.
    std::optional<std::vector<int>> run() {
        // Values that pass between the two determine matches; dimensions of size one only suggest them.
        for (const bool isTie : {true, false})
            for (const CandidateMember& reader : from_.members)
                for (const SeenTensor& tensor : reader.operation->tensors)
                    if (!visit(reader, tensor, isTie)) return std::nullopt;
        // No passed value varies along the others.
        for (std::size_t d = 0; d < match_.size(); ++d) {
            if (match_[d] >= 0 || isOne(from_.sizes[d])) continue;
            std::size_t free = 0;
            while (free < taken_.size() && (taken_[free] || !(to_.sizes[free] == from_.sizes[d]))) ++free;
            if (free == taken_.size()) return std::nullopt;
            tie(static_cast<int>(d), static_cast<int>(free));
        }
        return match_;
    }

private:
    bool tie(int from, int to) {
        int& match = match_[static_cast<std::size_t>(from)];
        if (match == to) return true;
        if (match >= 0 || taken_[static_cast<std::size_t>(to)]) return false;
        match = to;
        taken_[static_cast<std::size_t>(to)] = true;
        return true;
    }

    bool visit(const CandidateMember& reader, const SeenTensor& tensor, bool isTie) {
        const CandidateMember* source = to_.find(tensor.node);
        for (std::size_t i = 0; source && i < tensor.dimensions.size(); ++i) {
            const int dimension = tensor.dimensions[i], from = reader.place(tensor, i);
            if (dimension < 0 || isOneAt(*tensor.node, dimension) == isTie) continue;
            const int to = source->place(static_cast<std::size_t>(dimension));
            if (isTie) {
                if (from < 0 || to < 0 || !tie(from, to)) return false;
            } else if (from >= 0 && to >= 0 && match_[static_cast<std::size_t>(from)] < 0 &&
                       to_.sizes[static_cast<std::size_t>(to)] == from_.sizes[static_cast<std::size_t>(from)]) {
                tie(from, to);
            }
        }
        return true;
    }

    const FusionCandidate &to_, &from_;
    std::vector<int> match_;
    std::vector<bool> taken_;
};

std::vector<int> sorted(std::vector<int> dimensions) {
    std::sort(dimensions.begin(), dimensions.end());
    return dimensions;
}

/// Decides whether one kernel can compute all members, and which of them are `kept`.
class Validation {
public:
    explicit Validation(FusionCandidate& candidate) : candidate_(candidate) {}

    bool run() {
        return std::all_of(candidate_.members.begin(), candidate_.members.end(),
                           [&](CandidateMember& member) { return accept(member); }) &&
               sizesAreKnown() && isRead(candidate_.sequential());
    }

private:
    bool accept(CandidateMember& member) {
        const FusibleOperation& operation = *member.operation;
        bool readsKept = false, readsKeptOnly = true;
        for (const SeenTensor& tensor : operation.tensors) {
            const CandidateMember* source = candidate_.find(tensor.node);
            // Complete before anything reads it at an index, or what was accumulated in it.
            if (source && (!tensor.indexed.empty() || !source->operation->puts.empty())) return false;
            if (source && !isAligned(member, tensor, *source)) return false;
            readsKept = readsKept || (source && source->kept);
            readsKeptOnly = readsKeptOnly && source && source->kept;
        }
        if (!operation.puts.empty() && (candidate_.find(operation.target.node) || !candidate_.reduced.empty()))
            return false;
        if (!operation.reduced.empty()) {
            member.kept = operation.isReduction;
            return !readsKept && missing(operation.space, member.space).empty() &&
                   reducedOf(member) == candidate_.reduced;
        }
        // Kernels count positions as varying.
        member.kept = readsKeptOnly && !operation.tensors.empty() && operation.positions.empty();
        // It exists either for all positions and varies, or once for all reduced ones.
        const std::vector<int> lacking = missing(operation.space, member.space);
        return lacking.empty() ? !member.kept || candidate_.reduced.empty()
                               : member.kept && lacking == candidate_.reduced;
    }

    /// They are those of inputs or, where nothing is reduced, fixed.
    bool sizesAreKnown() const {
        for (int d = 0; d < static_cast<int>(candidate_.sizes.size()); ++d) {
            const bool isFixed = candidate_.reduced.empty() && candidate_.sizes[static_cast<std::size_t>(d)].isNumber();
            if (!isFixed && !isRead(d)) return false;
        }
        return true;
    }

    /// Whether inputs extend along these dimensions: outputs need not.
    bool isRead(const std::vector<int>& dimensions) const {
        return std::all_of(dimensions.begin(), dimensions.end(), [&](int d) { return isRead(d); });
    }
    bool isRead(int dimension) const {
        if (isOne(candidate_.sizes[static_cast<std::size_t>(dimension)])) return true;
        for (const CandidateMember& member : candidate_.members)
            for (const SeenTensor& tensor : member.operation->tensors)
                for (std::size_t i = 0; i < tensor.dimensions.size() && !candidate_.find(tensor.node); ++i)
                    if (tensor.dimensions[i] >= 0 && member.place(tensor, i) == dimension &&
                        !isOneAt(*tensor.node, tensor.dimensions[i]))
                        return true;
        return false;
    }

    static bool isAligned(const CandidateMember& reader, const SeenTensor& tensor, const CandidateMember& source) {
        for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
            const int d = tensor.dimensions[i];
            if (d >= 0 && !isOneAt(*tensor.node, d) &&
                source.place(static_cast<std::size_t>(d)) != reader.place(tensor, i))
                return false;
        }
        return true;
    }

    /// Dimensions of the candidate along which a member's space does not extend.
    std::vector<int> missing(const std::vector<SymExpr>& sizes, const std::vector<int>& space) const {
        std::vector<bool> covered(candidate_.sizes.size(), false);
        for (std::size_t d = 0; d < space.size(); ++d)
            if (space[d] >= 0 && !isOne(sizes[d])) covered[static_cast<std::size_t>(space[d])] = true;
        std::vector<int> dimensions;
        for (std::size_t d = 0; d < covered.size(); ++d)
            if (!covered[d] && !isOne(candidate_.sizes[d])) dimensions.push_back(static_cast<int>(d));
        return dimensions;
    }

    static std::vector<int> reducedOf(const CandidateMember& member) {
        std::vector<int> dimensions;
        for (const int d : member.operation->reduced) dimensions.push_back(member.space[static_cast<std::size_t>(d)]);
        return sorted(std::move(dimensions));
    }

    FusionCandidate& candidate_;
};

}  // namespace

const CandidateMember* FusionCandidate::find(const Node* value) const {
    const auto it =
        std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.operation->value == value; });
    return it == members.end() ? nullptr : &*it;
}

std::size_t FusionCandidate::instructions() const {
    return std::accumulate(members.begin(), members.end(), std::size_t{0},
                           [](std::size_t n, const CandidateMember& m) { return n + m.operation->instructions; });
}

std::size_t FusionCandidate::calls() const {
    std::set<const Node*> calls;
    for (const CandidateMember& member : members) calls.insert(member.operation->call);
    return calls.size();
}

bool FusionCandidate::isWorthAlone() const {
    return std::any_of(members.begin(), members.end(), [](const auto& m) { return m.operation->isWorthAlone; });
}

std::vector<int> FusionCandidate::sequential() const {
    std::vector<int> dimensions;
    for (const CandidateMember& member : members)
        for (std::size_t d = 0; d < member.operation->target.dimensions.size(); ++d)
            if (member.operation->target.dimensions[d] < 0 && member.space[d] >= 0)
                dimensions.push_back(member.space[d]);
    dimensions = sorted(std::move(dimensions));
    dimensions.erase(std::unique(dimensions.begin(), dimensions.end()), dimensions.end());
    return dimensions;
}

FusionCandidate candidateOf(std::vector<std::shared_ptr<const FusibleOperation>> results) {
    FusionCandidate candidate;
    candidate.sizes = results.front()->space;
    candidate.reduced = results.front()->reduced;
    std::vector<int> space(candidate.sizes.size());
    std::iota(space.begin(), space.end(), 0);
    for (auto& result : results) {
        const bool kept = result->isReduction;
        candidate.members.push_back({std::move(result), space, kept});
    }
    return candidate;
}

std::optional<FusionCandidate> merged(const FusionCandidate& earlier, const FusionCandidate& later) {
    const auto alignment = Alignment(earlier, later).run();
    if (!alignment) return std::nullopt;
    const auto moved = [&](int dimension) {
        return dimension < 0 ? -1 : (*alignment)[static_cast<std::size_t>(dimension)];
    };
    FusionCandidate all = earlier;
    if (!later.reduced.empty()) {
        all.reduced.clear();
        for (const int d : later.reduced) all.reduced.push_back(moved(d));
        all.reduced = sorted(std::move(all.reduced));
        if (!earlier.reduced.empty() && earlier.reduced != all.reduced) return std::nullopt;
    }
    for (CandidateMember member : later.members) {
        for (int& d : member.space) d = moved(d);
        all.members.push_back(std::move(member));
    }
    return Validation(all).run() ? std::optional<FusionCandidate>(std::move(all)) : std::nullopt;
}

}  // namespace aotscope
