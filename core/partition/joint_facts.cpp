#include "partition/joint_facts.h"

#include "ops/classify.h"
#include "ops/op_table.h"

#include <algorithm>
#include <queue>
#include <set>

namespace aotscope {

namespace {

constexpr std::int64_t kReductionFactor = 4;  ///< inputs larger than the result by this factor: a reduction

/// Labels of the inputs whose updated value the forward returns: the runtime overwrites them.
std::set<std::string, std::less<>> mutatedInputs(const Graph& joint) {
    std::set<std::string, std::less<>> labels;
    for (const OutputSlot& slot : joint.outputSlots())
        if (slot.role == Role::mutatedInput) labels.insert(slot.label);
    return labels;
}

}  // namespace

JointFacts::JointFacts(const Graph& joint) : joint_(joint), nodes_(joint.nodes()), facts_(nodes_.size()) {
    connect();
    describe();
    findForward();
    findBackward();
    measureDistances();
    std::vector<int> seen(nodes_.size(), -1);
    for (int i = 0; i < size(); ++i) {
        JointNodeFacts& f = facts(i);
        const auto all = users(i);
        // An alias fuses with anything fusible, a detach with nothing.
        f.materialized = node(i)->kind() == NodeKind::placeholder || std::any_of(all.begin(), all.end(), [&](int user) {
                             if (!readsKept(i, user)) return !fusible(i, user);
                             return node(i)->autograd.savedOutput == SavedOutput::detached || !f.fusible;
                         });
        f.materializedInBackward = findMaterialized(i, seen);
        f.reduction = isReduction(i);
        f.cost = SavingCost(f.bytes, f.distance, f.materialized).total();
    }
    findUsesFarApart();
}

int JointFacts::indexOf(NodeId id) const {
    return id >= 0 && id < static_cast<NodeId>(byId_.size()) ? byId_[static_cast<std::size_t>(id)] : -1;
}

int JointFacts::indexOf(const Node* node) const {
    const int i = indexOf(node->id());
    return i >= 0 && nodes_[static_cast<std::size_t>(i)] == node ? i : sameId_.at(node);
}

bool JointFacts::readsKept(int i, int user) const {
    const AutogradLink& own = node(i)->autograd;
    return own.savedOutput != SavedOutput::no && own.sequence >= 0 && node(user)->stage == Stage::backward &&
           node(user)->autograd.sequence == own.sequence;
}

bool JointFacts::usesAlias(int i, int user) const { return (*this)[i].aliased && readsKept(i, user); }

bool JointFacts::aliasIsMaterialized(int i) const {
    const auto all = users(i);
    return std::any_of(all.begin(), all.end(), [&](int user) { return usesAlias(i, user) && !(*this)[user].fusible; });
}

std::int64_t JointFacts::costOfAlias(int i) const {
    return SavingCost((*this)[i].bytes, 1, aliasIsMaterialized(i)).total();
}

void JointFacts::connect() {
    for (int i = 0; i < size(); ++i) {
        const auto id = static_cast<std::size_t>(node(i)->id());
        if (byId_.size() <= id) byId_.resize(id + 1, -1);
        if (const int other = std::exchange(byId_[id], i); other >= 0) sameId_.emplace(node(other), other);
    }
    for (int i = 0; i < size(); ++i) {
        inputs_.first.push_back(static_cast<int>(inputs_.all.size()));
        users_.first.push_back(static_cast<int>(users_.all.size()));
        for (const Node* input : node(i)->inputs()) inputs_.all.push_back(indexOf(input));
        for (const Node* user : node(i)->users()) users_.all.push_back(indexOf(user));
    }
    inputs_.first.push_back(static_cast<int>(inputs_.all.size()));
    users_.first.push_back(static_cast<int>(users_.all.size()));
}

void JointFacts::describe() {
    const auto mutated = mutatedInputs(joint_);
    for (int i = 0; i < size(); ++i) {
        const Node& n = *node(i);
        JointNodeFacts& f = facts(i);
        f.bytes = n.type.scalar() ? 1 : n.type.tensorBytes();
        f.primal = isPrimal(n);
        f.tangent = n.role == Role::tangent;
        f.staysInMemory = (n.role == Role::parameter || n.role == Role::buffer) && !mutated.contains(n.label);
        f.call = n.kind() == NodeKind::call;
        if (!f.call) continue;
        f.tags = opTags(n.op());
        f.view = f.tags & kView;
        f.fusible = f.tags & (kRecomputable | kRandomFusible);
        f.getitem = isGetitem(n);
        f.aliased = n.autograd.savedOutput == SavedOutput::aliased && n.autograd.sequence >= 0;
        f.random = drawsRandomNumbers(n);
        f.repeatable = !(f.random && isHigherOrder(n));
        f.writes = hasEffect(n);
        f.collective = isCollective(n);
        const auto packet = packetOf(n.op());
        f.cat = packet == "aten.cat";
        f.freshCopy = packet == "aten.lift_fresh" || packet == "aten.lift_fresh_copy";
        // A copy made in the backward would have the new values.
        f.copiesMutatedInput = n.op() == "aten.clone.default" && !n.inputs().empty() && isPrimal(*n.inputs()[0]) &&
                               mutated.contains(n.inputs()[0]->label);
    }
}

/// Finds nodes that depend on primals alone and that a forward output needs, or that run for their effect.
void JointFacts::findForward() {
    std::vector<bool> computable(nodes_.size());
    for (int i = 0; i < size(); ++i) {
        const auto from = inputs(i);
        computable[static_cast<std::size_t>(i)] = node(i)->kind() != NodeKind::output && !(*this)[i].tangent &&
                                                  std::all_of(from.begin(), from.end(), [&](int input) {
                                                      return computable[static_cast<std::size_t>(input)];
                                                  });
    }
    const auto& outputs = joint_.outputs();
    for (std::size_t i = 0; i < joint_.forwardOutputCount(); ++i)
        if (const Node* output = outputs[i].node()) facts(indexOf(output)).requiredForward = true;
    for (int i = size() - 1; i >= 0; --i) {
        JointNodeFacts& f = facts(i);
        if (!computable[static_cast<std::size_t>(i)]) continue;
        if (f.primal || (node(i)->stage == Stage::forward && (f.writes || f.random))) f.requiredForward = true;
        if (f.requiredForward)
            for (int input : inputs(i)) facts(input).requiredForward = true;
    }
    for (int i = 0; i < size(); ++i)
        if ((*this)[i].requiredForward) {
            facts(i).order = static_cast<int>(forward_.size());
            forward_.push_back(i);
        }
}

void JointFacts::findBackward() {
    for (int i = 0; i < size(); ++i) {
        if (node(i)->kind() == NodeKind::output) continue;
        const auto from = inputs(i);
        JointNodeFacts& f = facts(i);
        const bool writesInBackward = f.call && node(i)->stage == Stage::backward && isMutating(node(i)->op());
        f.dependsOnTangent = f.tangent || writesInBackward || std::any_of(from.begin(), from.end(), [&](int input) {
                                 return (*this)[input].dependsOnTangent;
                             });
        f.requiredBackward = f.dependsOnTangent;
        if (f.requiredBackward) backwardIsEmpty_ = false;
    }
    const auto& outputs = joint_.outputs();
    for (std::size_t i = joint_.forwardOutputCount(); i < outputs.size(); ++i)
        if (const Node* gradient = outputs[i].node()) {
            facts(indexOf(gradient)).requiredBackward = true;
            backwardIsEmpty_ = false;
        }
}

void JointFacts::measureDistances() {
    for (int i = size() - 1; i >= 0; --i) {
        JointNodeFacts& f = facts(i);
        if (node(i)->kind() == NodeKind::output) f.distance = kNoBackwardUse;
        else if (f.requiredForward) {
            f.distance = kNoBackwardUse;
            for (int user : users(i)) f.distance = std::min(f.distance, (*this)[user].distance + 1);
        }
    }
}

/// Whether a backward operation needs the value in memory, directly or through views, or autograd saved it. `seen`: for
/// each node, the last one that it was visited for.
bool JointFacts::findMaterialized(int i, std::vector<int>& seen) const {
    if ((*this)[i].view) return false;
    if (node(i)->autograd.savedOutput == SavedOutput::detached) return true;
    std::vector<int> pending{i};
    while (!pending.empty()) {
        const int current = pending.back();
        pending.pop_back();
        if (std::exchange(seen[static_cast<std::size_t>(current)], i) == i) continue;
        for (int user : users(current)) {
            if (!(*this)[user].requiredForward && !fusible(current, user)) return true;
            if ((*this)[user].view) pending.push_back(user);
        }
    }
    return false;
}

bool JointFacts::isReduction(int i) const {
    std::int64_t total = 0;
    for (int input : inputs(i)) total += (*this)[input].bytes;
    return (*this)[i].bytes * kReductionFactor < total;
}

/// The first position in the forward, walking on from the users of a value, that a fused kernel starting there cannot
/// reach; at most `limit`. `seen`: two entries for each position, as in findMaterialized.
int JointFacts::firstUnfusible(int i, int limit, std::vector<int>& seen) const {
    using Item = std::pair<int, bool>;  // position, still fused
    std::priority_queue<Item, std::vector<Item>, std::greater<>> pending;
    const auto add = [&](int user, bool fused) {
        const int order = (*this)[user].order;
        if (order < 0 || order > limit) return;
        if (std::exchange(seen[2 * static_cast<std::size_t>(order) + fused], i) != i) pending.emplace(order, fused);
    };
    for (int user : users(i)) add(user, true);
    while (!pending.empty()) {
        const auto [order, fused] = pending.top();
        pending.pop();
        if (!fused) return order;
        const int current = forward_[static_cast<std::size_t>(order)];
        for (int user : users(current)) add(user, fusible(current, user));
    }
    return limit;
}

void JointFacts::findUsesFarApart() {
    std::vector<int> seen(2 * forward_.size(), -1);
    for (int i : forward_) {
        int last = -1;
        for (int user : users(i)) last = std::max(last, (*this)[user].order);
        if (last < 0) continue;
        const int reached = firstUnfusible(i, last, seen);
        for (int user : users(i))
            if ((*this)[user].order > reached && fusible(i, user)) facts(user).usedFarApart = true;
    }
}

}  // namespace aotscope
