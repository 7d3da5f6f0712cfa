#include "compile/fused/cluster.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace aotscope {

namespace {

bool isOneAt(const Node& value, int dimension) {
    return isOne(sizeOf(*value.type.tensor(), static_cast<std::size_t>(dimension)));
}

/// Finds for the dimensions of one space those of another.
class Alignment {
public:
    Alignment(const Cluster& to, const Cluster& from)
        : to_(to), from_(from), match_(from.sizes.size(), -1), taken_(to.sizes.size(), false) {}

    /// Nothing if a dimension of `from` has no counterpart.
    std::optional<std::vector<int>> run() {
        // Values that pass from one to the other tie dimensions together; those of size one only suggest it.
        for (const bool isTie : {true, false})
            for (const ClusterMember& reader : from_.members)
                for (const SeenTensor& tensor : reader.operation->tensors)
                    if (!visit(reader, tensor, isTie)) return std::nullopt;
        // Nothing that passes varies along the others.
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

    bool visit(const ClusterMember& reader, const SeenTensor& tensor, bool isTie) {
        const ClusterMember* source = to_.find(tensor.node);
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

    const Cluster &to_, &from_;
    std::vector<int> match_;
    std::vector<bool> taken_;
};

std::vector<int> sorted(std::vector<int> dimensions) {
    std::sort(dimensions.begin(), dimensions.end());
    return dimensions;
}

/// Whether one kernel can compute all members, whose `kept` is found out.
class Validation {
public:
    explicit Validation(Cluster& cluster) : cluster_(cluster) {}

    bool run() {
        return std::all_of(cluster_.members.begin(), cluster_.members.end(),
                           [&](ClusterMember& member) { return accept(member); });
    }

private:
    bool accept(ClusterMember& member) {
        const FusibleOperation& operation = *member.operation;
        bool readsKept = false, readsKeptOnly = true;
        for (const SeenTensor& tensor : operation.tensors) {
            const ClusterMember* source = cluster_.find(tensor.node);
            if (source && !isAligned(member, tensor, *source)) return false;
            readsKept = readsKept || (source && source->kept);
            readsKeptOnly = readsKeptOnly && source && source->kept;
        }
        if (!operation.reduced.empty()) {
            member.kept = operation.isReduction;
            return !readsKept && missing(operation.space, member.space).empty() &&
                   reducedOf(member) == cluster_.reduced;
        }
        member.kept = readsKeptOnly;
        // Either it is there for all positions and varies, or once for all that are reduced.
        const std::vector<int> lacking = missing(operation.space, member.space);
        return lacking.empty() ? !member.kept || cluster_.reduced.empty() : member.kept && lacking == cluster_.reduced;
    }

    static bool isAligned(const ClusterMember& reader, const SeenTensor& tensor, const ClusterMember& source) {
        for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
            const int d = tensor.dimensions[i];
            if (d >= 0 && !isOneAt(*tensor.node, d) &&
                source.place(static_cast<std::size_t>(d)) != reader.place(tensor, i))
                return false;
        }
        return true;
    }

    /// Dimensions of the cluster along which a member's space does not extend.
    std::vector<int> missing(const std::vector<SymExpr>& sizes, const std::vector<int>& space) const {
        std::vector<bool> covered(cluster_.sizes.size(), false);
        for (std::size_t d = 0; d < space.size(); ++d)
            if (space[d] >= 0 && !isOne(sizes[d])) covered[static_cast<std::size_t>(space[d])] = true;
        std::vector<int> dimensions;
        for (std::size_t d = 0; d < covered.size(); ++d)
            if (!covered[d] && !isOne(cluster_.sizes[d])) dimensions.push_back(static_cast<int>(d));
        return dimensions;
    }

    static std::vector<int> reducedOf(const ClusterMember& member) {
        std::vector<int> dimensions;
        for (const int d : member.operation->reduced) dimensions.push_back(member.space[static_cast<std::size_t>(d)]);
        return sorted(std::move(dimensions));
    }

    Cluster& cluster_;
};

}  // namespace

const ClusterMember* Cluster::find(const Node* value) const {
    const auto it =
        std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.operation->value == value; });
    return it == members.end() ? nullptr : &*it;
}

std::size_t Cluster::instructions() const {
    return std::accumulate(members.begin(), members.end(), std::size_t{0},
                           [](std::size_t n, const ClusterMember& m) { return n + m.operation->instructions; });
}

std::size_t Cluster::calls() const {
    std::set<const Node*> calls;
    for (const ClusterMember& member : members) calls.insert(member.operation->call);
    return calls.size();
}

Cluster clusterOf(std::vector<std::shared_ptr<const FusibleOperation>> results) {
    Cluster cluster;
    cluster.sizes = results.front()->space;
    cluster.reduced = results.front()->reduced;
    std::vector<int> space(cluster.sizes.size());
    std::iota(space.begin(), space.end(), 0);
    for (auto& result : results) {
        const bool kept = result->isReduction;
        cluster.members.push_back({std::move(result), space, kept});
    }
    return cluster;
}

std::optional<Cluster> merged(const Cluster& earlier, const Cluster& later) {
    const auto alignment = Alignment(earlier, later).run();
    if (!alignment) return std::nullopt;
    const auto moved = [&](int dimension) {
        return dimension < 0 ? -1 : (*alignment)[static_cast<std::size_t>(dimension)];
    };
    Cluster all = earlier;
    if (!later.reduced.empty()) {
        all.reduced.clear();
        for (const int d : later.reduced) all.reduced.push_back(moved(d));
        all.reduced = sorted(std::move(all.reduced));
        if (!earlier.reduced.empty() && earlier.reduced != all.reduced) return std::nullopt;
    }
    for (ClusterMember member : later.members) {
        for (int& d : member.space) d = moved(d);
        all.members.push_back(std::move(member));
    }
    return Validation(all).run() ? std::optional<Cluster>(std::move(all)) : std::nullopt;
}

}  // namespace aotscope
