#include "compile/fused/candidate_search.h"

#include "compile/fused/group_memory.h"
#include "compile/fused/scatter_sum.h"
#include "ops/op_table.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace aotscope {

namespace {

constexpr std::size_t kMaxInstructions = 512, kMaxTensors = 32;
/// How far back an operation looks for one to join; bounds the time for large graphs.
constexpr std::size_t kWindow = 512;

/// Merges the graph step by step, and keeps the candidates in a valid order of execution.
class Clustering {
public:
    Clustering(const Graph& graph, const GroupingOptions& options, bool savesMemory)
        : nodes_(graph.nodes()), segments_(mutationSegmentsOf(nodes_)), options_(options), savesMemory_(savesMemory) {
        for (std::size_t i = 0; i < nodes_.size(); ++i) indexOf_[nodes_[i]] = i;
        dependencies_.resize(nodes_.size());
        candidateOf_.assign(nodes_.size(), kNone);
        findLive();
    }

    std::vector<FusionCandidate> run() {
        findSums();
        std::size_t lastInPlace = kNone;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (keepsItsPlace(*nodes_[i])) {
                if (lastInPlace != kNone) dependencies_[i].push_back(lastInPlace);
                lastInPlace = i;
            }
            if (candidateOf_[i] == kNone && !sumOf_.contains(nodes_[i])) add(i);
        }
        std::vector<FusionCandidate> found;
        for (const std::size_t c : order_)
            if (!parts_[c].candidate.members.empty() && isWorthIt(parts_[c].candidate))
                found.push_back(std::move(parts_[c].candidate));
        return found;
    }

private:
    static constexpr std::size_t kNone = SIZE_MAX;
    struct Part {
        std::vector<std::size_t> nodes;
        FusionCandidate candidate;  ///< without members: an operation that kernels cannot compute
        std::size_t position = 0;
    };

    bool isWorthIt(const FusionCandidate& candidate) const {
        return candidate.calls() >= options_.fewestCalls || candidate.isWorthAlone();
    }

    /// What nothing reads is no part of a kernel, which could have its size from it.
    void findLive() {
        live_.resize(nodes_.size());
        for (std::size_t i = nodes_.size(); i-- > 0;)
            live_[i] =
                nodes_[i]->kind() != NodeKind::call || isMutating(nodes_[i]->op()) ||
                std::ranges::any_of(nodes_[i]->users(), [&](const Node* user) { return live_[indexOf_.at(user)]; });
    }
    bool isLive(const Node* node) const { return live_[indexOf_.at(node)]; }

    /// Not where something that they read may be overwritten in between.
    bool mergesSums() const { return segments_.empty() || segments_.back() == 0; }

    /// Sums take the place of what they add up.
    void findSums() {
        for (std::size_t i = nodes_.size(); mergesSums() && i-- > 0;) {
            if (sumOf_.contains(nodes_[i])) continue;
            const auto sum = scatterSumOf(*nodes_[i], true);
            if (!sum) continue;
            const auto isFused = fusibleOperation(*nodes_[i], true);
            if (!isFused || !isWanted(*isFused)) continue;
            for (const Node* absorbed : sum->absorbed) sumOf_.insert(absorbed);
        }
    }

    /// Adds a part behind all others, which then joins those that it reads.
    void add(std::size_t node) {
        Part part;
        std::vector<std::shared_ptr<const FusibleOperation>> operations;
        const std::vector<const Node*> results = resultsOf(*nodes_[node]);
        const bool anyLive = std::ranges::any_of(results, [&](const Node* result) { return isLive(result); });
        for (const Node* value : anyLive ? results : std::vector<const Node*>()) {
            auto operation = fusibleOperation(*value, mergesSums());
            if (!operation || !isWanted(*operation)) {
                operations.clear();
                break;
            }
            operations.push_back(std::make_shared<const FusibleOperation>(std::move(*operation)));
            part.nodes.push_back(indexOf_.at(value));
        }
        if (operations.empty()) {
            part.nodes = {node};
            for (const Node* input : nodes_[node]->inputs()) dependencies_[node].push_back(indexOf_.at(input));
        } else {
            for (std::size_t i = 0; i < operations.size(); ++i) addDependencies(part.nodes[i], *operations[i]);
            part.candidate = aotscope::candidateOf(operations);
        }
        const std::size_t made = parts_.size();
        for (const std::size_t member : part.nodes) candidateOf_[member] = made;
        part.position = order_.size();
        order_.push_back(made);
        parts_.push_back(std::move(part));
        if (!operations.empty()) joinThoseThatItReads(made);
    }

    /// All results of a call are computed together.
    std::vector<const Node*> resultsOf(const Node& node) const {
        if (!isGetitem(node)) return {&node};
        std::vector<const Node*> results;
        for (const Node* user : node.args()[0].node()->users())
            if (isGetitem(*user)) results.push_back(user);
        return results;
    }

    bool isWanted(const FusibleOperation& operation) const {
        return (options_.reductions || operation.reduced.empty()) &&
               (!options_.runsOn || options_.runsOn(operation.value->type.tensor()->device));
    }

    void addDependencies(std::size_t node, const FusibleOperation& operation) {
        for (const SeenTensor& tensor : operation.tensors) dependencies_[node].push_back(indexOf_.at(tensor.node));
        if (operation.target.node) dependencies_[node].push_back(indexOf_.at(operation.target.node));
        for (const Node* number : operation.numbers) dependencies_[node].push_back(indexOf_.at(number));
    }

    void joinThoseThatItReads(std::size_t made) {
        std::set<std::pair<std::size_t, std::size_t>, std::greater<>> candidates;  // the last ones first
        for (const std::size_t node : parts_[made].nodes)
            for (const std::size_t from : dependencies_[node]) {
                const std::size_t c = candidateOf_[from];
                if (c != made && !parts_[c].candidate.members.empty()) candidates.emplace(parts_[c].position, c);
            }
        for (const auto& [position, candidate] : candidates) join(candidate, made);
    }

    /// Merges the earlier one into the later one, unless something between them would have to run before and after.
    void join(std::size_t earlier, std::size_t later) {
        Part &first = parts_[earlier], &last = parts_[later];
        if (last.position - first.position > kWindow || segments_[first.nodes.front()] != segments_[last.nodes.front()])
            return;
        auto both = mergedCluster(first.candidate, last.candidate);
        if (!both || (savesMemory_ && keepsMore(first, last)) || !moveTogether(earlier, later)) return;
        last.candidate = std::move(*both);
        for (const std::size_t node : first.nodes) candidateOf_[node] = later;
        last.nodes.insert(last.nodes.begin(), first.nodes.begin(), first.nodes.end());
        first = {};
    }

    /// Whether more memory is in use between the two if the first one waits for the second: what it reads for the last
    /// time, instead of what the second one alone reads of it.
    bool keepsMore(const Part& first, const Part& last) const {
        if (last.position - first.position == 1) return false;
        const auto isIn = [&](const Node* node, const Part& part) {
            return std::ranges::find(part.nodes, indexOf_.at(node)) != part.nodes.end();
        };
        std::set<const Node*> freed;
        std::int64_t kept = 0;
        for (const CandidateMember& member : first.candidate.members) {
            for (const SeenTensor& tensor : member.operation->tensors) freed.insert(memoryOf(*tensor.node));
            const auto users = readersOf(*member.operation->value);
            const bool isPassed = std::ranges::any_of(users, [&](const Node* user) { return !isIn(user, first); });
            if (isPassed &&
                std::ranges::all_of(users, [&](const Node* user) { return isIn(user, first) || isIn(user, last); }))
                kept -= bytesOf(*member.operation->value);
        }
        const auto isReadBefore = [&](const Node* reader) {
            const std::size_t part = candidateOf_[indexOf_.at(reader)];
            return isIn(reader, first) || (part != kNone && parts_[part].position < first.position);
        };
        for (const Node* node : freed)
            if (node->kind() == NodeKind::call && !isIn(node, first) &&
                std::ranges::all_of(readersOf(*node), isReadBefore))
                kept += bytesOf(*node);
        return kept > 0;
    }

    std::optional<FusionCandidate> mergedCluster(const FusionCandidate& first, const FusionCandidate& last) const {
        const Device &a = first.members.front().operation->value->type.tensor()->device,
                     &b = last.members.front().operation->value->type.tensor()->device;
        if (!(a == b) || first.instructions() + last.instructions() > kMaxInstructions) return std::nullopt;
        auto both = merged(first, last);
        return both && tensorsOf(*both) <= kMaxTensors ? std::move(both) : std::nullopt;
    }

    /// Counts inputs, and values whose elements others read.
    static std::size_t tensorsOf(const FusionCandidate& candidate) {
        std::set<const Node*> tensors, absorbed;
        for (const CandidateMember& member : candidate.members)
            absorbed.insert(member.operation->absorbed.begin(), member.operation->absorbed.end());
        for (const CandidateMember& member : candidate.members) {
            for (const SeenTensor& tensor : member.operation->tensors)
                if (!candidate.find(tensor.node)) tensors.insert(tensor.node);
            const auto isOutside = [&](const Node* user) {
                return !candidate.find(user) && !absorbed.contains(user) && !fillOf(*user);
            };
            const auto users = member.operation->value->users();
            if (std::any_of(users.begin(), users.end(), isOutside)) tensors.insert(member.operation->value);
        }
        return tensors.size();
    }

    /// Moves dependents of `earlier` behind `later`, and `earlier` next to it. False if `later` depends on them.
    bool moveTogether(std::size_t earlier, std::size_t later) {
        const std::size_t from = parts_[earlier].position, to = parts_[later].position;
        std::set<std::size_t> follows = {earlier};
        std::vector<std::size_t> before, after;
        const auto dependsOnThese = [&](std::size_t part, bool direct) {
            for (const std::size_t node : parts_[part].nodes)
                for (const std::size_t dependency : dependencies_[node]) {
                    const std::size_t c = candidateOf_[dependency];
                    if (c != part && follows.contains(c) && (direct || c != earlier)) return true;
                }
            return false;
        };
        for (std::size_t i = from + 1; i < to; ++i) {
            const bool isAfter = dependsOnThese(order_[i], true);
            if (isAfter) follows.insert(order_[i]);
            (isAfter ? after : before).push_back(order_[i]);
        }
        if (dependsOnThese(later, false)) return false;
        before.push_back(later);
        before.insert(before.end(), after.begin(), after.end());
        std::copy(before.begin(), before.end(), order_.begin() + static_cast<std::ptrdiff_t>(from));
        order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(to));
        for (std::size_t i = from; i < order_.size(); ++i) parts_[order_[i]].position = i;
        return true;
    }

    std::vector<Node*> nodes_;
    std::vector<int> segments_;
    const GroupingOptions& options_;
    const bool savesMemory_;
    std::unordered_map<const Node*, std::size_t> indexOf_;
    std::vector<std::vector<std::size_t>> dependencies_;
    std::vector<bool> live_;                ///< by node: an output follows from it
    std::set<const Node*> sumOf_;           ///< nodes that a sum further behind absorbs
    std::vector<std::size_t> candidateOf_;  ///< by node: an index of parts_
    std::vector<Part> parts_;
    std::vector<std::size_t> order_;
};

}  // namespace

bool keepsItsPlace(const Node& node) {
    return node.kind() == NodeKind::call && !isGetitem(node) &&
           (hasTag(node, kRandom) || hasTag(node, kRandomFusible) || opFamily(node.op()) == OpFamily::random ||
            !(node.op().starts_with("aten.") || node.op().starts_with("prims.") || node.op().starts_with("operator.")));
}

std::vector<int> mutationSegmentsOf(const std::vector<Node*>& nodes) {
    std::vector<int> segments;
    int segment = 0;
    for (const Node* node : nodes) {
        const bool writes = node->kind() == NodeKind::call && isMutating(node->op());
        if (writes) ++segment;
        segments.push_back(segment);
        if (writes) ++segment;
    }
    return segments;
}

std::vector<FusionCandidate> findFusionCandidates(const Graph& graph, const GroupingOptions& options,
                                                  bool savesMemory) {
    return Clustering(graph, options, savesMemory).run();
}

}  // namespace aotscope
