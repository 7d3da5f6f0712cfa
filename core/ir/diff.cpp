#include "ir/diff.h"

#include "ir/id_table.h"
#include "ir/node_changes.h"
#include "ir/printer.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace aotscope {

namespace {

using Nodes = std::vector<const Node*>;
using Key = std::function<std::string(const Node&)>;

/// An in-place operation and its functional twin count as the same.
std::string callKey(const Node& node) {
    std::string op(shortOpName(node.op()));
    if (op.ends_with('_')) op.pop_back();
    return op + "|" + (node.source ? node.source->module : "") + "|" + std::to_string(static_cast<int>(node.stage));
}

std::string typedKey(const Node& node) { return callKey(node) + "|" + printType(node.type); }

std::string lineKey(const Node& node) {
    return callKey(node) + "|" + (node.source ? node.source->file + ":" + std::to_string(node.source->line) : "");
}

std::string typedLineKey(const Node& node) { return lineKey(node) + "|" + printType(node.type); }

std::string inputName(const Node& placeholder) {
    return placeholder.label.empty() ? placeholder.name() : placeholder.label;
}

bool isElement(const Node* node) { return node->isCall("operator.getitem") && node->args().size() == 2; }

/// A program unpacks lists first, which a trace does not.
const Node* tupleOf(const Node& element) {
    const Node* owner = element.args()[0].node();
    return owner && owner->isCall("prim.ListUnpack") ? owner->args()[0].node() : owner;
}

/// Pairs nodes of two graphs; every node has at most one partner.
class StructureMatch {
public:
    StructureMatch(const Graph& before, const Graph& after, const std::unordered_set<const Node*>& taken)
        : before_(before), after_(after), paired_(taken) {}

    NodePairs run() {
        matchPlaceholders();
        const auto always = [](const Node&, const Node&) { return true; };
        const auto untyped = [](const Node& a, const Node& b) { return !a.type.known() || !b.type.known(); };
        const Nodes calls = operationsOf(before_), others = operationsOf(after_);
        match(calls, others, typedLineKey, always);
        match(calls, others, typedKey, always);
        match(calls, others, lineKey, untyped);
        match(calls, others, callKey, untyped);
        matchElements();
        match(ofKind(before_, NodeKind::call), ofKind(after_, NodeKind::call), typedKey, always);
        for (const Node* constant : ofKind(before_, NodeKind::constant))
            if (const Node* same = after_.findByName(constant->name())) pair(constant, same);
        const Nodes o = ofKind(before_, NodeKind::output), r = ofKind(after_, NodeKind::output);
        if (!o.empty() && !r.empty()) pair(o[0], r[0]);
        NodePairs pairs;
        for (const Node* node : before_.nodes())
            if (const auto it = twin_.find(node); it != twin_.end()) pairs.emplace_back(node->id(), it->second->id());
        return pairs;
    }

private:
    Nodes ofKind(const Graph& graph, NodeKind kind) const {
        Nodes found;
        for (const Node* node : graph.nodes())
            if (node->kind() == kind && !paired_.contains(node)) found.push_back(node);
        return found;
    }

    void pair(const Node* a, const Node* b) {
        if (paired_.contains(a) || paired_.contains(b)) return;
        twin_[a] = b;
        paired_.insert(a);
        paired_.insert(b);
    }

    Nodes operationsOf(const Graph& graph) const {
        Nodes found = ofKind(graph, NodeKind::call);
        std::erase_if(found, isElement);
        return found;
    }

    /// Inputs are the same that the model names the same; the others go by their position. What only a backward takes
    /// is no input of the program.
    void matchPlaceholders() {
        const auto ofBackward = [](const Node* node) {
            return node->role == Role::tangent || node->role == Role::saved || node->role == Role::savedSymint;
        };
        for (const bool backward : {false, true}) {
            Nodes p = ofKind(before_, NodeKind::placeholder), q = ofKind(after_, NodeKind::placeholder);
            for (Nodes* list : {&p, &q}) std::erase_if(*list, [&](const Node* n) { return ofBackward(n) != backward; });
            match(p, q, inputName, [](const Node&, const Node&) { return true; });
            for (Nodes* list : {&p, &q}) std::erase_if(*list, [&](const Node* n) { return paired_.contains(n); });
            for (std::size_t i = 0; i < std::min(p.size(), q.size()); ++i) pair(p[i], q[i]);
        }
    }

    /// The k-th node with a key is the twin of the k-th node with that key on the other side, if they are `alike`.
    void match(const Nodes& nodes, const Nodes& others, const Key& key, const Corresponds& alike) {
        std::unordered_map<std::string, Nodes> waiting;
        for (const Node* node : others)
            if (!paired_.contains(node)) waiting[key(*node)].push_back(node);
        std::unordered_map<std::string, std::size_t> taken;
        for (const Node* node : nodes) {
            if (paired_.contains(node)) continue;
            const auto own = key(*node);
            const auto it = waiting.find(own);
            if (it == waiting.end()) continue;
            std::size_t& k = taken[own];
            if (k < it->second.size() && alike(*node, *it->second[k])) pair(node, it->second[k++]);
        }
    }

    /// An element of a tuple is the same element of the same tuple.
    void matchElements() {
        for (const Node* node : before_.nodes()) {
            if (!isElement(node) || paired_.contains(node)) continue;
            const auto owner = twin_.find(tupleOf(*node));
            if (owner == twin_.end()) continue;
            for (const Node* user : owner->second->users())
                if (isElement(user) && user->args()[1] == node->args()[1]) pair(node, user);
        }
    }

    const Graph &before_, &after_;
    std::unordered_set<const Node*> paired_;
    std::unordered_map<const Node*, const Node*> twin_;
};

}  // namespace

NodePairs matchById(const Graph& before, const Graph& after) {
    IdTable<char> there(0);
    for (std::size_t i = 0; i < after.size(); ++i) there.set(after.at(i)->id(), 1);
    NodePairs pairs;
    pairs.reserve(before.size());
    for (std::size_t i = 0; i < before.size(); ++i)
        if (const NodeId id = before.at(i)->id(); there.contains(id)) pairs.emplace_back(id, id);
    return pairs;
}

NodePairs matchByStructure(const Graph& before, const Graph& after, const std::unordered_set<const Node*>& taken) {
    return StructureMatch(before, after, taken).run();
}

std::string describeChange(const Node& before, const Node& after, const Corresponds& corresponds) {
    return NodeComparer(nullptr, nullptr, corresponds, {kBetweenRunsOnly, false}).compare(before, after).what;
}

}  // namespace aotscope
