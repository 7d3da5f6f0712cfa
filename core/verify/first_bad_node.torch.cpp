#include "verify/first_bad_node.h"

#include "ops/op_table.h"

#include <unordered_set>

namespace aotscope {

namespace {

class Search {
public:
    Search(const JudgedRun& run, const PassReference& reference) : run_(run), reference_(reference) {
        const auto nodes = run.graph->nodes();
        for (std::size_t i = 0; i < nodes.size(); ++i) position_[nodes[i]] = i;
    }

    FirstBadNode find() const {
        std::vector<const Node*> start;
        if (run_.failed) start.push_back(run_.failed);
        for (const std::size_t i : run_.badOutputs)
            if (const Node* node = run_.graph->outputs()[i].node()) start.push_back(node);
        const Node* first = nullptr;
        for (const Node* node : suspects(start))
            if ((verdict(*node) == Verdict::bad || node == run_.failed) && (!first || before(node, first)))
                first = node;
        if (first) return blame(*first);
        if (FirstBadNode rewired = rewiredOutput(); rewired.node) return rewired;
        for (const Node* node : start)
            if (node->kind() == NodeKind::call && verdict(*node) == Verdict::unknown)
                return {node, false, "it has no counterpart in " + reference_.name(), {}};
        return {};
    }

private:
    bool before(const Node* a, const Node* b) const { return position_.at(a) < position_.at(b); }

    Verdict verdict(const Node& node) const {
        if (node.kind() != NodeKind::call) return Verdict::good;
        const auto it = run_.judgements.find(node.id());
        return it == run_.judgements.end() ? Verdict::unknown : it->second.verdict;
    }

    /// The nodes that `start` is computed from, through wrong and unknown values only.
    std::unordered_set<const Node*> suspects(std::vector<const Node*> start) const {
        std::unordered_set<const Node*> seen;
        while (!start.empty()) {
            const Node* node = start.back();
            start.pop_back();
            const Verdict v = verdict(*node);
            const bool stop = node != run_.failed && (v == Verdict::good || v == Verdict::likely);
            if (stop || !seen.insert(node).second) continue;
            start.insert(start.end(), node->inputs().begin(), node->inputs().end());
        }
        return seen;
    }

    /// A node with a wrong value whose arguments are right, as far as known.
    FirstBadNode blame(const Node& node) const {
        FirstBadNode bad{&node, false, {}, {}};
        const auto judged = run_.judgements.find(node.id());
        if (judged != run_.judgements.end()) bad.value = judged->second.difference;
        if (&node == run_.failed) bad.reason = "it fails: " + run_.error;

        const Node& call = makerOf(node);
        const OperationChange change = reference_.changeOf(call);
        if (change.literals) {  // NOLINT(bugprone-branch-clone): comes first, whatever else changed
            bad.reason = change.text;
        } else if (change.now && verdict(*change.now) == Verdict::unknown) {
            bad.node = change.now;
            bad.reason = "it replaces %" + change.before->name() + " = " + change.before->op() +
                         " and changes the values computed from it";
        } else if (change.now && !run_.graph->findById(change.before->id())) {
            bad.node = change.before;
            bad.removed = true;
            bad.reason = "this pass removed it, and %" + node.name() + " takes %" + change.now->name() + " instead";
        } else if (change.now) {
            bad.reason = change.text;
        } else if (const Node* changed = changedInput(call)) {
            bad.node = changed;
            bad.reason = reference_.changeOf(*changed).text;
        } else if (const Node* unknown = unknownInput(call)) {
            bad.node = unknown;
            bad.reason =
                "it has no counterpart in " + reference_.name() + ", and the first wrong value is computed from it";
        }
        return bad;
    }

    /// An argument that may have its value by chance: its operation is not in the reference.
    const Node* changedInput(const Node& node) const {
        for (const Node* input : node.inputs())
            if (verdict(*input) == Verdict::likely && !isGetitem(*input) && reference_.changeOf(*input).literals)
                return input;
        return nullptr;
    }

    const Node* unknownInput(const Node& node) const {
        const Node* last = nullptr;
        for (const Node* input : node.inputs())
            if (verdict(*input) == Verdict::unknown && !input->type.tuple() && !isMeaningless(*input) &&
                (!last || before(last, input)))
                last = input;
        return last;
    }

    /// A wrong output that is a different node than before, although every node is right.
    FirstBadNode rewiredOutput() const {
        for (const std::size_t i : run_.badOutputs) {
            const Node* now = run_.graph->outputs()[i].node();
            if (!now) continue;
            const std::string returned = "%" + now->name() + " is returned for '" + label(i) + "'";
            const auto before = reference_.graphs();
            if (before.empty()) return {now, false, returned + ", which is not what eager has there", {}};
            const Node* then = sameOutput(before, i);
            if (!then || then->id() == now->id()) continue;
            const bool removed = !run_.graph->findById(then->id());
            return {removed ? then : now,
                    removed,
                    (removed ? "this pass removed it, and " : "") + returned + " in place of %" + then->name(),
                    {}};
        }
        return {};
    }

    /// The output at that position before.
    const Node* sameOutput(const std::vector<const Graph*>& before, std::size_t output) const {
        for (const Graph* graph : before)
            for (std::size_t i = 0; i < graph->outputs().size(); ++i)
                if (graph->outputSlots()[i] == run_.graph->outputSlots()[output]) return graph->outputs()[i].node();
        return nullptr;
    }

    std::string label(std::size_t output) const {
        const auto& slots = run_.graph->outputSlots();
        return output < slots.size() ? slots[output].label : std::to_string(output);
    }

    const JudgedRun& run_;
    const PassReference& reference_;
    std::unordered_map<const Node*, std::size_t> position_;
};

}  // namespace

FirstBadNode findFirstBadNode(const JudgedRun& run, const PassReference& reference) {
    return Search(run, reference).find();
}

}  // namespace aotscope
