#include "compile/fused/groups.h"

#include "compile/fused/candidate_search.h"
#include "compile/fused/group_memory.h"
#include "compile/fused/positional.h"
#include "ops/op_table.h"
#include "support/error.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace aotscope {

namespace {

// Groups may take one part in so many more memory than the graph is given.
constexpr std::int64_t kTolerated = 50;

/// Turns candidates into steps and orders them.
class Grouping {
public:
    Grouping(const Graph& graph, std::vector<FusionCandidate> candidates)
        : nodes_(graph.nodes()), candidates_(std::move(candidates)), segments_(mutationSegmentsOf(nodes_)) {
        for (std::size_t i = 0; i < nodes_.size(); ++i) indexOf_[nodes_[i]] = i;
        for (std::size_t c = 0; c < candidates_.size(); ++c)
            for (const CandidateMember& member : candidates_[c].members) {
                candidateOf_[member.operation->value] = c;
                replaced_.insert(member.operation->call);
                replaced_.insert(member.operation->absorbed.begin(), member.operation->absorbed.end());
            }
    }

    GroupedGraph run() {
        findNeeds();
        for (std::size_t c = 0; c < candidates_.size(); ++c) addGroup(c);
        connect();
        order();
        return std::move(result_);
    }

private:
    /// Nodes that exist only for others: without users they need not run.
    bool servesOthers(const Node& node) const {
        const bool isView = node.kind() == NodeKind::call && opFamily(node.op()) == OpFamily::view &&
                            !isGetitem(node) && !isMutating(node.op());
        return isView || replaced_.contains(&node) || fillOf(node) || isPositional(node) || stacksPositions(node);
    }

    /// Finds values that are read outside of their candidate, from the end of the graph to its beginning.
    void findNeeds() {
        std::set<const Node*> read;  // inside of a candidate
        for (auto it = nodes_.rbegin(); it != nodes_.rend(); ++it) {
            const Node& node = **it;
            if (const auto c = candidateOf_.find(&node); c != candidateOf_.end()) {
                // What kernels compute from positions may be left without users.
                if (!needed_.contains(&node) && !read.contains(&node)) continue;
                const CandidateMember& member = *candidates_[c->second].find(&node);
                for (const SeenTensor& tensor : member.operation->tensors) {
                    const auto from = candidateOf_.find(tensor.node);
                    const bool isInside = from != candidateOf_.end() && from->second == c->second;
                    (isInside ? read : needed_).insert(tensor.node);
                }
                if (member.operation->target.node) needed_.insert(member.operation->target.node);
                needed_.insert(member.operation->numbers.begin(), member.operation->numbers.end());
            } else if (!servesOthers(node) || needed_.contains(&node)) {
                needed_.insert(&node);
                needed_.insert(node.inputs().begin(), node.inputs().end());
            }
        }
    }

    void addGroup(std::size_t c) {
        std::vector<const Node*> outputs;
        for (const CandidateMember& member : candidates_[c].members)
            if (needed_.contains(member.operation->value)) outputs.push_back(member.operation->value);
        if (outputs.empty()) return;
        std::sort(outputs.begin(), outputs.end(),
                  [&](const Node* a, const Node* b) { return indexOf_.at(a) > indexOf_.at(b); });
        FusionGroup group = groupOf(candidates_[c], outputs);
        std::sort(group.nodes.begin(), group.nodes.end(),
                  [&](const Node* a, const Node* b) { return indexOf_.at(a) < indexOf_.at(b); });
        stepOf_[c] = addStep({nullptr, result_.groups.size()}, indexOf_.at(outputs.front()));
        result_.groups.push_back(std::move(group));
    }

    struct Step {
        GroupedStep what;
        std::size_t place = 0;  ///< in the graph; of a group, that of its last node
        std::vector<std::size_t> users;
        std::size_t waitsFor = 0;
    };

    std::size_t addStep(GroupedStep what, std::size_t place) {
        steps_.push_back({what, place, {}, 0});
        return steps_.size() - 1;
    }

    void connect() {
        std::unordered_map<const Node*, std::size_t> stepOfNode;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const auto c = candidateOf_.find(nodes_[i]);
            if (c == candidateOf_.end() && needed_.contains(nodes_[i]))
                stepOfNode[nodes_[i]] = addStep({nodes_[i], 0}, i);
            if (c != candidateOf_.end() && stepOf_.contains(c->second)) stepOfNode[nodes_[i]] = stepOf_.at(c->second);
        }
        const auto edge = [&](const Node* from, std::size_t to) {
            const std::size_t step = stepOfNode.at(from);
            if (step == to) return;
            steps_[step].users.push_back(to);
            ++steps_[to].waitsFor;
        };
        const Node* lastInPlace = nullptr;
        for (std::size_t s = 0; s < steps_.size(); ++s) {
            const GroupedStep& what = steps_[s].what;
            if (what.node) {
                for (const Node* input : what.node->inputs()) edge(input, s);
                if (keepsItsPlace(*what.node) && lastInPlace) edge(lastInPlace, s);
                if (keepsItsPlace(*what.node)) lastInPlace = what.node;
                continue;
            }
            const FusionGroup& group = result_.groups[what.group];
            for (const GroupTensor& input : group.inputs) edge(input.node, s);
            for (const Node* number : group.numbers) edge(number, s);
            for (const Node* base : group.bases)
                if (base) edge(base, s);
        }
    }

    /// In graph order where possible, segment by segment.
    void order() {
        std::set<std::pair<std::size_t, std::size_t>> ready;  // place, step
        std::map<int, std::size_t> left;
        for (std::size_t s = 0; s < steps_.size(); ++s) {
            ++left[segments_[steps_[s].place]];
            if (steps_[s].waitsFor == 0) ready.emplace(steps_[s].place, s);
        }
        while (!ready.empty()) {
            const auto next = *ready.begin();
            check(left.begin()->first == segments_[next.first], "operations keep to their side of those that write");
            ready.erase(ready.begin());
            if (--left.begin()->second == 0) left.erase(left.begin());
            result_.order.push_back(steps_[next.second].what);
            for (const std::size_t user : steps_[next.second].users)
                if (--steps_[user].waitsFor == 0) ready.emplace(steps_[user].place, user);
        }
        check(left.empty(), "no group needs what needs it");
    }

    std::vector<Node*> nodes_;
    std::vector<FusionCandidate> candidates_;
    std::vector<int> segments_;
    std::unordered_map<const Node*, std::size_t> indexOf_, candidateOf_;
    std::set<const Node*> replaced_, needed_;
    std::unordered_map<std::size_t, std::size_t> stepOf_;
    std::vector<Step> steps_;
    GroupedGraph result_;
};

}  // namespace

GroupedGraph groupOperations(const Graph& graph, const GroupingOptions& options) {
    GroupedGraph grouped = Grouping(graph, findFusionCandidates(graph, options, false)).run();
    // A group needs all that it reads and writes at once.
    const std::int64_t most = peakBytes(graph) + givenBytes(graph) / kTolerated;
    if (peakBytes(grouped) <= most) return grouped;
    GroupedGraph thrifty = Grouping(graph, findFusionCandidates(graph, options, true)).run();
    return peakBytes(thrifty) < peakBytes(grouped) ? std::move(thrifty) : std::move(grouped);
}

}  // namespace aotscope
