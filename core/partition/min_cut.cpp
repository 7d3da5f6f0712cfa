#include "ops/op_table.h"
#include "partition/classify.h"
#include "partition/extract.h"
#include "partition/max_flow.h"
#include "partition/partition.h"
#include "support/error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <unordered_map>

namespace aotscope {

namespace {

constexpr double kDistanceBase = 1.1;         ///< a value far from its backward use lives longer: it costs more
constexpr std::int64_t kDistanceLimit = 100;  ///< cap of that exponent
constexpr std::int64_t kFusedPenalty = 2;     ///< a value that would be fused away must be written and read
constexpr std::int64_t kReductionFactor = 4;  ///< inputs this much larger than the result: a reduction
constexpr int kLongChain = 100;

/// The rules of one cut. Facts about nodes are computed once and looked up by pointer.
class MinCut {
public:
    MinCut(const Graph& joint, const MinCutOptions& options)
        : joint_(joint), options_(options), classes_(classifyNodes(joint)) {
        for (const Node* node : joint.nodes()) facts_.emplace(node, factsOf(*node));
    }

    bool backwardIsEmpty() const { return classes_.requiredBackward.empty(); }

    Partition run() {
        buildNetwork();
        banUsedFarApart();
        banLongFusibleChains();
        requireBounded();
        network_.maximize(source_, sink_);
        return split(network_.sinkSide(sink_));
    }

private:
    struct Facts {
        std::uint16_t tags = 0;
        bool view = false, fusible = false, getitem = false;
        std::int64_t bytes = 0;
    };
    struct Vertices {
        int in = 0, out = 0, edge = -1;
    };

    static std::int64_t bytesOf(const ValueType& type) {
        if (const auto* tensor = type.tensor()) return tensor->bytes();
        if (type.scalar()) return 1;
        std::int64_t total = 0;
        if (const auto* tuple = type.tuple())
            for (const auto& element : *tuple) total += element.tensor() ? element.tensor()->bytes() : 0;
        return total;
    }

    static Facts factsOf(const Node& node) {
        Facts f;
        f.tags = node.kind() == NodeKind::call ? opTags(node.op()) : 0;
        f.view = f.tags & kView;
        f.fusible = f.tags & (kRecomputable | kRandomFusible);
        f.getitem = isGetitem(node);
        f.bytes = bytesOf(node.type);
        return f;
    }
    const Facts& facts(const Node* node) const { return facts_.at(node); }

    bool mustRecompute(const Node* node) const { return options_.mustRecompute.contains(node->id()); }

    bool fusible(const Node* a, const Node* b) const {
        if (b->kind() == NodeKind::call && packetOf(b->op()) == "aten.cat") return true;
        return facts(a).fusible && facts(b).fusible;
    }

    bool materialized(const Node* node) const {
        return node->kind() == NodeKind::placeholder ||
               std::any_of(node->users().begin(), node->users().end(),
                           [&](const Node* user) { return !fusible(node, user); });
    }

    /// Whether some backward operation needs the value in memory, seen through views of it, or autograd kept it.
    bool materializedInBackward(const Node* node) const {
        if (facts(node).view) return false;
        if (node->autograd.keepsResult) return true;
        std::vector<const Node*> pending{node};
        NodeSet seen;
        while (!pending.empty()) {
            const Node* current = pending.back();
            pending.pop_back();
            if (!seen.insert(current).second) continue;
            for (const Node* user : current->users()) {
                if (!classes_.inForward(user) && !fusible(current, user)) return true;
                if (facts(user).view) pending.push_back(user);
            }
        }
        return false;
    }

    bool isReduction(const Node* node) const {
        std::int64_t inputs = 0;
        for (const Node* input : node->inputs()) inputs += facts(input).bytes;
        return facts(node).bytes * kReductionFactor < inputs;
    }

    /// The clone that stands in for a mutated input. The runtime overwrites the input after the forward, so a
    /// clone made in the backward would copy the wrong values.
    bool clonesMutatedInput(const Node* node) const {
        if (!node->isCall("aten.clone.default") || node->inputs().empty() || !isPrimal(*node->inputs()[0]))
            return false;
        const auto& slots = joint_.outputSlots();
        return std::any_of(slots.begin(), slots.end(), [&](const OutputSlot& slot) {
            return slot.role == Role::mutatedInput && slot.label == node->inputs()[0]->label;
        });
    }

    /// The first rule that forbids recomputing a forward operation.
    std::optional<BanReason> ruleAgainst(const Node* node) const {
        const Facts& f = facts(node);
        if (node->kind() != NodeKind::call || f.getitem) return std::nullopt;
        if (options_.mustSave.contains(node->id())) return BanReason::mustSave;
        if (options_.recomputeViews && f.view) return std::nullopt;
        const auto packet = packetOf(node->op());
        if (packet == "aten.lift_fresh" || packet == "aten.lift_fresh_copy") return std::nullopt;
        if (options_.banNotInAllowList) {
            if (!(f.tags & kRecomputable)) return BanReason::notAllowListed;
        } else {
            if (f.tags & kRandomFusible) return BanReason::randomOp;
            if (f.tags & kComputeIntensive) return BanReason::computeIntensive;
        }
        if (options_.banMaterializedBackward && materializedInBackward(node)) return BanReason::materializedInBackward;
        if (options_.banReductions && isReduction(node)) return BanReason::reduction;
        return std::nullopt;
    }

    NoSaveReason whyNotSaved(const Node* node) const {
        if (node->type.scalar()) return NoSaveReason::none;
        if (!node->type.tensor()) return NoSaveReason::nonTensor;
        return options_.recomputeViews && facts(node).view ? NoSaveReason::view : NoSaveReason::none;
    }

    std::int64_t costOfSaving(const Node* node, ValueDecision& decision) const {
        if (node->type.scalar()) return node->type.scalar()->kind == ScalarType::Kind::real ? 4 : 1;
        if (decision.noSave != NoSaveReason::none) return FlowNetwork::kInfinite;
        if (options_.staticParameters && node->role == Role::parameter) return 0;
        const auto exponent = static_cast<double>(std::clamp<std::int64_t>(decision.distance, 1, kDistanceLimit));
        const auto cost =
            static_cast<std::int64_t>(static_cast<double>(decision.bytes) * std::pow(kDistanceBase, exponent));
        return decision.materialized ? cost : kFusedPenalty * cost;
    }

    /// Refused for views (free to recompute) and for values that must be recomputed or must not be banned.
    bool ban(const Node* node, BanReason reason) {
        if (facts(node).view || mustRecompute(node) || options_.dontBan.contains(node->id())) return false;
        if (node->type.scalar() && node->type.scalar()->kind == ScalarType::Kind::real) return false;
        decisions_[node].bans.push_back(reason);
        if (banned_.insert(node).second) network_.addEdge(source_, vertices_.at(node).in, FlowNetwork::kInfinite);
        return true;
    }

    void buildNetwork() {
        source_ = network_.addVertex();
        sink_ = network_.addVertex();
        for (const Node* node : joint_.nodes()) vertices_[node] = {network_.addVertex(), network_.addVertex(), -1};
        for (const Node* node : joint_.nodes())
            if (node->kind() != NodeKind::output) addToNetwork(node);
    }

    void addToNetwork(const Node* node) {
        auto& v = vertices_.at(node);
        ValueDecision& decision = decisions_[node];
        decision.node = node->id();
        decision.bytes = facts(node).bytes;
        decision.distance = classes_.distance.at(node);
        decision.materialized = materialized(node);
        decision.noSave = whyNotSaved(node);
        if (classes_.inBackward(node)) {
            const bool computed = classes_.dependsOnTangent.contains(node);
            network_.addEdge(computed ? v.in : v.out, sink_, FlowNetwork::kInfinite);
            if (computed) {
                decision.fate = ValueDecision::Fate::backwardOnly;
                return;
            }
        }
        if (mustRecompute(node)) {
            network_.addEdge(v.in, sink_, FlowNetwork::kInfinite);
            return;
        }
        if (isPrimal(*node)) ban(node, BanReason::primalInput);
        if (clonesMutatedInput(node)) ban(node, BanReason::clonedInput);
        else if (classes_.inForward(node))
            if (const auto rule = ruleAgainst(node)) ban(node, *rule);
        decision.capacity = costOfSaving(node, decision);
        v.edge = network_.addEdge(v.in, v.out, decision.capacity);
        for (const Node* user : node->users()) network_.addEdge(v.out, vertices_.at(user).in, FlowNetwork::kInfinite);
    }

    std::vector<const Node*> forwardUsers(const Node* node) const {
        std::vector<const Node*> users;
        for (const Node* user : node->users())
            if (classes_.orderInForward.contains(user)) users.push_back(user);
        return users;
    }
    int order(const Node* node) const { return classes_.orderInForward.at(node); }

    /// The first position, walking forward from the users of a value, that a fused kernel starting there cannot
    /// reach; at most `limit`.
    int firstUnfusible(const std::vector<const Node*>& users, int limit) const {
        using Item = std::pair<int, bool>;  // position, still fused
        std::priority_queue<Item, std::vector<Item>, std::greater<>> pending;
        std::set<Item> seen;
        for (const Node* user : users) pending.emplace(order(user), true);
        while (!pending.empty()) {
            const auto [position, fused] = pending.top();
            pending.pop();
            if (!fused) return position;
            const Node* node = classes_.forwardOrder[static_cast<std::size_t>(position)];
            for (const Node* user : forwardUsers(node))
                if (order(user) <= limit && seen.emplace(order(user), fusible(node, user)).second)
                    pending.emplace(order(user), fusible(node, user));
        }
        return limit;
    }

    /// A value used early and again much later would be recomputed for the late use: such late users are banned.
    void banUsedFarApart() {
        if (!options_.banUsedFarApart) return;
        for (const Node* node : classes_.forwardOrder) {
            const auto users = forwardUsers(node);
            if (users.empty()) continue;
            int last = 0;
            for (const Node* user : users) last = std::max(last, order(user));
            const int reached = firstUnfusible(users, last);
            for (const Node* user : users)
                if (order(user) > reached && fusible(node, user) && !banned_.contains(user))
                    ban(user, BanReason::usedFarApart);
        }
    }

    /// A chain of fusible operations longer than kLongChain is cut, so that recomputation stays local.
    void banLongFusibleChains() {
        if (!options_.banLongFusibleChains) return;
        NodeSet visited;
        for (const Node* start : classes_.forwardOrder) {
            std::priority_queue<int, std::vector<int>, std::greater<>> pending;
            pending.push(order(start));
            while (!pending.empty()) {
                const Node* node = classes_.forwardOrder[static_cast<std::size_t>(pending.top())];
                pending.pop();
                if (visited.contains(node)) continue;
                visited.insert(node);
                if (order(node) > order(start) + kLongChain && pending.empty()) {
                    ban(node, BanReason::longFusibleChain);
                    break;
                }
                for (const Node* user : forwardUsers(node))
                    if (fusible(node, user) && !banned_.contains(user)) pending.push(order(user));
            }
        }
    }

    /// Throws if some value can neither be saved nor recomputed, naming the chain of such values.
    void requireBounded() const {
        std::vector<int> from(static_cast<std::size_t>(network_.vertices()), -1);
        std::unordered_map<int, std::vector<int>> infinite;
        for (const auto& edge : network_.edges())
            if (edge.capacity >= FlowNetwork::kInfinite) infinite[edge.from].push_back(edge.to);
        std::queue<int> pending;
        pending.push(source_);
        from[static_cast<std::size_t>(source_)] = source_;
        while (!pending.empty()) {
            const int vertex = pending.front();
            pending.pop();
            for (int next : infinite[vertex])
                if (from[static_cast<std::size_t>(next)] < 0) {
                    from[static_cast<std::size_t>(next)] = vertex;
                    pending.push(next);
                }
        }
        if (from[static_cast<std::size_t>(sink_)] >= 0) throw Error(describePath(from));
    }

    std::string describePath(const std::vector<int>& from) const {
        std::unordered_map<int, const Node*> owner;
        for (const auto& [node, v] : vertices_) owner[v.in] = owner[v.out] = node;
        std::vector<const Node*> chain;
        for (int v = from[static_cast<std::size_t>(sink_)]; v != source_; v = from[static_cast<std::size_t>(v)])
            if (chain.empty() || chain.back() != owner.at(v)) chain.push_back(owner.at(v));
        std::string text = "the min-cut partitioner found no finite cut:";
        for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
            const auto& decision = decisions_.at(*it);
            text += (it == chain.rbegin() ? " %" : "; %") + (*it)->name();
            if (!decision.bans.empty())
                text += " cannot be recomputed (" + std::string(describe(decision.bans.front())) + ")";
            if (decision.noSave != NoSaveReason::none)
                text += " cannot be saved (" + std::string(describe(decision.noSave)) + ")";
            if (decision.fate == ValueDecision::Fate::backwardOnly) text += " must be computed in the backward";
        }
        return text + "; use the default partitioner for this model";
    }

    Partition split(const std::vector<bool>& sinkSide) {
        std::vector<Node*> saved;
        const auto onSinkSide = [&](int vertex) { return sinkSide[static_cast<std::size_t>(vertex)]; };
        for (Node* node : joint_.nodes()) {
            const auto& v = vertices_.at(node);
            if (v.edge < 0) continue;
            decisions_[node].flow = network_.edges()[static_cast<std::size_t>(v.edge)].flow;
            if (!onSinkSide(v.in) && onSinkSide(v.out)) saved.push_back(node);
        }
        Partition partition = buildPartition(joint_, saved, PartitionAlgorithm::minCut,
                                             [this](const Node* node) { return whySaved(node); });
        std::set<NodeId> kept, again;
        for (const auto& value : partition.saved) kept.insert(value.node);
        for (const auto& value : partition.recomputed) again.insert(value.node);
        for (Node* node : joint_.nodes()) {
            const auto it = decisions_.find(node);
            if (it == decisions_.end()) continue;
            auto& fate = it->second.fate;
            if (kept.contains(node->id())) fate = ValueDecision::Fate::saved;
            else if (again.contains(node->id())) fate = ValueDecision::Fate::recomputed;
            else if (!classes_.inForward(node)) fate = ValueDecision::Fate::backwardOnly;
            partition.decisions.push_back(it->second);
        }
        return partition;
    }

    std::string whySaved(const Node* node) const {
        const auto& bans = decisions_.at(node).bans;
        if (node->role == Role::parameter && options_.staticParameters) return "static parameter: in memory anyway";
        if (!bans.empty()) return "cannot recompute: " + std::string(describe(bans.front()));
        return "cheaper to save than the values it is computed from";
    }

    const Graph& joint_;
    const MinCutOptions& options_;
    NodeClasses classes_;
    std::unordered_map<const Node*, Facts> facts_;
    std::unordered_map<const Node*, Vertices> vertices_;
    std::unordered_map<const Node*, ValueDecision> decisions_;
    NodeSet banned_;
    FlowNetwork network_;
    int source_ = 0, sink_ = 0;
};

}  // namespace

Partition partitionByMinCut(const Graph& joint, const MinCutOptions& options) {
    MinCut cut(joint, options);
    return cut.backwardIsEmpty() ? partitionByDefault(joint) : cut.run();
}

}  // namespace aotscope
