#include "partition/min_cut.h"

#include "ops/op_table.h"
#include "partition/cut_network.h"

#include <functional>
#include <queue>

namespace aotscope {

namespace {

constexpr int kLongChain = 100;

class MinCut {
public:
    MinCut(const JointFacts& facts, const CutRules& rules)
        : facts_(facts), rules_(rules), decisions_(static_cast<std::size_t>(facts.size())), flags_(decisions_.size()) {
        for (const NodeId id : rules.mustSave) mark(id, &Flags::mustSave);
        for (const NodeId id : rules.mustRecompute) mark(id, &Flags::mustRecompute);
        for (const NodeId id : rules.dontBan) mark(id, &Flags::dontBan);
        for (int i = 0; i < facts.size(); ++i) flags_[static_cast<std::size_t>(i)].tagged = rules.tags.mustRecompute(i);
    }

    Cut run() {
        for (int i = 0; i < facts_.size(); ++i) decide(i);
        if (rules_.banUsedFarApart && !rules_.recomputeEverything) banUsedFarApart();
        if (rules_.banLongFusibleChains && !rules_.recomputeEverything) banLongFusibleChains();
        buildNetwork();
        if (const auto path = unboundedPath(*network_); !path.empty()) throw unbounded(path);
        findMinimumCut(*network_);
        Cut cut;
        for (const auto& edge : network_->edges)
            if (edge.kind == EdgeKind::value || edge.kind == EdgeKind::alias) conclude(edge, cut.saved);
        cut.decisions = std::move(decisions_);
        cut.network = std::move(network_);
        return cut;
    }

private:
    /// A value is saved if its edge, or that of its alias, is cut.
    void conclude(const CutNetwork::Edge& edge, std::vector<int>& saved) {
        const int i = facts_.indexOf(vertex(edge.from).node);
        const bool isCut = !vertex(edge.from).sinkSide && vertex(edge.to).sinkSide;
        if (edge.kind == EdgeKind::value || isCut) {
            decision(i).capacity = edge.capacity;
            decision(i).flow = edge.flow;
        }
        if (edge.kind == EdgeKind::alias && isCut) decision(i).materialized = facts_.aliasIsMaterialized(i);
        if (isCut && (saved.empty() || saved.back() != i)) saved.push_back(i);
    }

    using EdgeKind = CutNetwork::EdgeKind;

    struct Flags {
        bool mustSave = false, mustRecompute = false, dontBan = false;
        bool tagged = false;  ///< tagged by activation checkpointing for recomputation
        bool recomputed() const { return mustRecompute || tagged; }
    };

    void mark(NodeId id, bool Flags::*flag) {
        if (const int i = facts_.indexOf(id); i >= 0) flags_[static_cast<std::size_t>(i)].*flag = true;
    }
    const Flags& flags(int i) const { return flags_[static_cast<std::size_t>(i)]; }
    ValueDecision& decision(int i) { return decisions_[static_cast<std::size_t>(i)]; }
    const ScalarType* scalar(int i) const { return facts_.node(i)->type.scalar(); }

    void decide(int i) {
        const JointNodeFacts& f = facts_[i];
        ValueDecision& d = decision(i);
        d.node = facts_.node(i)->id();
        d.bytes = f.bytes;
        d.distance = f.distance;
        d.materialized = f.materialized;
        d.noSave = whyNotSaved(i);
        if (f.dependsOnTangent) d.placement = ValueDecision::Placement::backwardOnly;
        if (f.dependsOnTangent || facts_.node(i)->kind() == NodeKind::output) return;
        if (!flags(i).recomputed()) d.capacity = costOfSaving(i);
        if (f.primal || f.requiredForward || flags(i).mustSave) applyRules(i);
        if (d.exemption == Exemption::none) d.exemption = generalExemption(i);
    }

    Exemption whyRecomputed(int i) const {
        return flags(i).mustRecompute ? Exemption::mustRecompute : Exemption::checkpointed;
    }

    /// Why some values are exempt from all rules.
    Exemption generalExemption(int i) const {
        if (flags(i).recomputed()) return whyRecomputed(i);
        if (facts_[i].getitem) return Exemption::element;
        return facts_[i].view ? Exemption::view : Exemption::none;
    }

    /// Applies the rules that forbid recomputing a value, in order of precedence.
    void applyRules(int i) {
        const JointNodeFacts& f = facts_[i];
        if (f.primal) return ban(i, BanReason::primalInput);
        if (!f.call) return;
        if (flags(i).mustSave) ban(i, BanReason::mustSave);
        if (f.copiesMutatedInput) ban(i, BanReason::clonedInput);
        if (f.getitem) return;
        if (const auto& reason = rules_.tags.mustSave(i)) ban(i, *reason);
        if (f.freshCopy || (rules_.recomputeViews && f.view)) return;
        if (!rules_.recomputeEverything && rules_.banNotInAllowList && !(f.tags & kRecomputable))
            ban(i, BanReason::notAllowListed);
        if (f.random) ban(i, BanReason::randomOp);
        if (rules_.recomputeEverything) return;
        if (!rules_.banNotInAllowList && (f.tags & kComputeIntensive)) ban(i, BanReason::computeIntensive);
        if (rules_.banMaterializedBackward && f.materializedInBackward) ban(i, BanReason::materializedInBackward);
        if (rules_.banReductions && f.reduction) ban(i, BanReason::reduction);
    }

    /// Why a rule does not apply to this value.
    Exemption exemptionFrom(int i, BanReason reason) const {
        const bool unrepeatable = reason == BanReason::randomOp || reason == BanReason::clonedInput ||
                                  reason == BanReason::collective || reason == BanReason::effect;
        if (flags(i).mustSave) return Exemption::none;
        if (facts_[i].view) return Exemption::view;
        if (flags(i).recomputed()) return whyRecomputed(i);
        if (flags(i).dontBan && !unrepeatable) return Exemption::budget;
        const ScalarType* number = scalar(i);
        return number && number->kind == ScalarType::Kind::real ? Exemption::symbolicReal : Exemption::none;
    }

    void ban(int i, BanReason reason) {
        const Exemption exemption = exemptionFrom(i, reason);
        ValueDecision& d = decision(i);
        if (exemption != Exemption::none) d.exemption = exemption;
        (exemption == Exemption::none ? d.bans : d.overruled).push_back(reason);
    }
    bool banned(int i) const { return !decisions_[static_cast<std::size_t>(i)].bans.empty(); }

    NoSaveReason whyNotSaved(int i) const {
        if (scalar(i)) return NoSaveReason::none;
        if (!facts_.node(i)->type.tensor()) return NoSaveReason::nonTensor;
        return rules_.recomputeViews && facts_[i].view && !flags(i).mustSave ? NoSaveReason::view : NoSaveReason::none;
    }

    std::int64_t costOfSaving(int i) {
        if (scalar(i)) return scalar(i)->kind == ScalarType::Kind::real ? 4 : 1;
        if (decision(i).noSave != NoSaveReason::none) return CutNetwork::kInfinite;
        if (rules_.staticParameters && facts_[i].staysInMemory) return 0;
        return rules_.recomputeEverything && facts_[i].primal ? 0 : facts_[i].cost;
    }

    /// Bans late users of a value that is used early and again much later, for which it would be recomputed.
    void banUsedFarApart() {
        for (int i : facts_.forward())
            if (facts_[i].usedFarApart && !flags(i).recomputed()) ban(i, BanReason::usedFarApart);
    }

    /// Splits chains of fusible operations longer than kLongChain, so that recomputation stays local.
    void banLongFusibleChains() {
        std::vector<bool> visited(decisions_.size());
        for (std::size_t start = 0; start < facts_.forward().size(); ++start) {
            std::priority_queue<int, std::vector<int>, std::greater<>> pending;
            pending.push(static_cast<int>(start));
            while (!pending.empty()) {
                const int order = pending.top(), i = facts_.forward()[static_cast<std::size_t>(order)];
                pending.pop();
                if (visited[static_cast<std::size_t>(i)]) continue;
                visited[static_cast<std::size_t>(i)] = true;
                if (order > static_cast<int>(start) + kLongChain && pending.empty()) {
                    ban(i, BanReason::longFusibleChain);
                    break;
                }
                for (int user : facts_.users(i))
                    if (facts_[user].order >= 0 && facts_.fusible(i, user) && !banned(user))
                        pending.push(facts_[user].order);
            }
        }
    }

    static int in(int i) { return 2 * i + 2; }
    static int out(int i) { return 2 * i + 3; }
    CutNetwork::Vertex& vertex(int v) { return network_->vertices[static_cast<std::size_t>(v)]; }

    void buildNetwork() {
        network_ = std::make_shared<CutNetwork>();
        network_->vertices.resize(2 * static_cast<std::size_t>(facts_.size()) + 2);
        for (int i = 0; i < facts_.size(); ++i) {
            vertex(in(i)).node = vertex(out(i)).node = facts_.node(i)->id();
            vertex(out(i)).out = true;
        }
        for (int i = 0; i < facts_.size(); ++i)
            if (facts_.node(i)->kind() != NodeKind::output) connect(i);
    }

    void connect(int i) {
        const auto infinite = [&](int from, int to, EdgeKind kind) {
            network_->edges.push_back({from, to, kind, CutNetwork::kInfinite, 0});
        };
        if (facts_[i].dependsOnTangent) return infinite(in(i), CutNetwork::kSink, EdgeKind::inBackward);
        // Unlike PyTorch, it is not just excluded from recomputation, since its users could then be saved instead.
        if (facts_[i].requiredBackward || flags(i).mustSave)
            infinite(out(i), CutNetwork::kSink, EdgeKind::neededBackward);
        if (flags(i).recomputed()) return infinite(in(i), CutNetwork::kSink, EdgeKind::mustRecompute);
        if (banned(i)) infinite(CutNetwork::kSource, in(i), EdgeKind::banned);
        network_->edges.push_back({in(i), out(i), EdgeKind::value, decision(i).capacity, 0});
        const int alias = facts_[i].aliased ? connectAlias(i) : 0;
        for (int user : facts_.users(i)) infinite(facts_.usesAlias(i, user) ? alias : out(i), in(user), EdgeKind::use);
    }

    /// Returns the vertex that precedes the alias' users.
    int connectAlias(int i) {
        const int from = static_cast<int>(network_->vertices.size()), to = from + 1;
        network_->vertices.push_back({facts_.node(i)->id(), false, false});
        network_->vertices.push_back({facts_.node(i)->id(), true, false});
        network_->edges.push_back({out(i), from, EdgeKind::use, CutNetwork::kInfinite, 0});
        network_->edges.push_back({from, to, EdgeKind::alias, facts_.costOfAlias(i), 0});
        return to;
    }

    std::string reasonOnPath(int i) {
        const ValueDecision& d = decision(i);
        std::vector<std::string> reasons;
        if (!d.bans.empty()) reasons.push_back("cannot be recomputed (" + std::string(describe(d.bans.front())) + ")");
        if (flags(i).recomputed()) reasons.emplace_back("must be recomputed");
        else if (d.noSave != NoSaveReason::none && !facts_[i].dependsOnTangent)
            reasons.push_back("cannot be saved (" + std::string(describe(d.noSave)) + ")");
        if (facts_[i].dependsOnTangent) reasons.emplace_back("must be computed in the backward");
        else if (facts_[i].requiredBackward) reasons.emplace_back("is a gradient");
        std::string text;
        for (const auto& reason : reasons) text += (text.empty() ? "" : " and ") + reason;
        return text;
    }

    UnboundedCut unbounded(const std::vector<int>& path) {
        std::vector<PathStep> steps;
        std::string text = "the min-cut partitioner found no finite cut:";
        for (const int v : path) {
            const NodeId id = vertex(v).node;
            if (id == kNoNode || (!steps.empty() && steps.back().node == id)) continue;
            const int i = facts_.indexOf(id);
            steps.push_back({id, facts_.node(i)->name(), reasonOnPath(i)});
            text += (steps.size() > 1 ? "; %" : " %") + steps.back().name + " " + steps.back().reason;
        }
        return {text + "; use the default partitioner for this model", std::move(steps)};
    }

    const JointFacts& facts_;
    const CutRules& rules_;
    std::vector<ValueDecision> decisions_;
    std::vector<Flags> flags_;
    std::shared_ptr<CutNetwork> network_;
};

}  // namespace

Cut solveMinCut(const JointFacts& facts, const CutRules& rules) { return MinCut(facts, rules).run(); }

}  // namespace aotscope
