#include "ir/diff.h"

#include "ir/id_table.h"
#include "ir/node_changes.h"
#include "ir/node_pairing.h"
#include "ir/printer.h"

namespace aotscope {

namespace {

/// In-place and functional variants of an operation count as the same.
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

bool isElement(const Node* node) { return node->isCall("operator.getitem") && node->args().size() == 2; }

/// A program unpacks lists first, unlike a trace.
const Node* tupleOf(const Node& element) {
    const Node* owner = element.args()[0].node();
    return owner && owner->isCall("prim.ListUnpack") ? owner->args()[0].node() : owner;
}

class StructureMatch : NodePairing {
public:
    StructureMatch(const Graph& before, const Graph& after, const std::unordered_set<const Node*>& taken)
        : NodePairing(before, after, taken), other_(after) {}

    NodePairs run() {
        // Pairs inputs by the model's names, the others by position.
        pairInputs([this](const Nodes& inputs, const Nodes& others) {
            pairByKey(inputs, others, nameOfInput);
            pairByKey(inputs, others, [](const Node&) { return 0; });
        });
        const auto untyped = [](const Node& a, const Node& b) { return !a.type.known() || !b.type.known(); };
        const Nodes calls = operationsOf(before_), others = operationsOf(after_);
        pairByKey(calls, others, typedLineKey);
        pairByKey(calls, others, typedKey);
        pairByKey(calls, others, lineKey, untyped);
        pairByKey(calls, others, callKey, untyped);
        pairElements();
        pairByKey(freeOf(before_, NodeKind::call), freeOf(after_, NodeKind::call), typedKey);
        for (const Node* constant : freeOf(before_, NodeKind::constant))
            if (const Node* same = other_.findByName(constant->name())) pair(constant, same);
        pairOutputs();
        return pairs();
    }

private:
    Nodes operationsOf(const Nodes& nodes) const {
        Nodes found = freeOf(nodes, NodeKind::call);
        std::erase_if(found, isElement);
        return found;
    }

    /// Pairs elements of paired tuples.
    void pairElements() {
        for (const Node* node : before_) {
            if (!isElement(node) || !isFree(node)) continue;
            const Node* owner = twinOf(tupleOf(*node));
            if (!owner) continue;
            for (const Node* user : owner->users())
                if (isElement(user) && user->args()[1] == node->args()[1]) pair(node, user);
        }
    }

    const Graph& other_;
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
