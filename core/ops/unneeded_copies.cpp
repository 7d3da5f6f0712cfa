#include "ops/unneeded_copies.h"

#include "ir/symbolic.h"
#include "ops/functional_graph.h"
#include "ops/op_table.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace aotscope {

namespace {

bool isCopy(const Node& node) {
    static constexpr std::array<std::string_view, 5> kCopies = {"aten.clone", "aten._to_copy", "aten.contiguous",
                                                                "prims.clone", "prims.convert_element_type"};
    return node.kind() == NodeKind::call && std::ranges::count(kCopies, packetOf(node.op())) > 0;
}

/// Memory of another kind, although it has the same type.
bool isPinned(const Node& node) {
    const Argument* pinned = node.argument(4, "pin_memory");
    const bool* value = pinned ? std::get_if<bool>(&pinned->value) : nullptr;
    return value && *value;
}

/// All of its memory, so that using it keeps no more alive than the copy.
bool isWhole(const TensorType& type, const TensorType& copy) {
    const bool atStart = type.storageOffset == 0 && (!type.symbolic || type.symbolic->storageOffset == SymExpr(0));
    return atStart && type.storageBytes == copy.storageBytes && copy.storageOffset == 0;
}

using Storages = std::unordered_set<std::int64_t>;

void addStorages(const ValueType& type, Storages& storages) {
    if (const TensorType* tensor = type.tensor()) storages.insert(tensor->storage);
    if (const TupleType* tuple = type.tuple())
        for (const ValueType& element : *tuple) addStorages(element, storages);
}

/// Memory that the graph or the caller may write into.
Storages writtenStorages(const Graph& graph) {
    Storages written;
    for (const Node* node : graph.nodes()) {
        const bool given = node->kind() == NodeKind::placeholder && node->role != Role::tangent;
        if (given || node->kind() == NodeKind::constant) addStorages(node->type, written);
        for (const Node* value : writtenValues(*node)) addStorages(value->type, written);
    }
    for (const Node* output : graph.output()->inputs()) addStorages(output->type, written);
    return written;
}

/// Views of a copy become views of its original.
void moveStorage(ValueType& type, const std::unordered_map<std::int64_t, std::int64_t>& moved) {
    if (TensorType* tensor = type.tensor())
        if (const auto to = moved.find(tensor->storage); to != moved.end()) tensor->storage = to->second;
    if (TupleType* tuple = std::get_if<TupleType>(&type.data))
        for (ValueType& element : *tuple) moveStorage(element, moved);
}

}  // namespace

const Node* copiedAsItIs(const Node& node) {
    const Node* original = isCopy(node) && !node.args().empty() ? node.args()[0].node() : nullptr;
    const TensorType *from = original ? original->type.tensor() : nullptr, *to = node.type.tensor();
    const bool known = from && to && from->storage >= 0 && to->storage >= 0 && from->storage != to->storage;
    const bool same = known && from->dtype == to->dtype && from->device == to->device && from->sameLayout(*to);
    return same && !isPinned(node) ? original : nullptr;
}

std::vector<UnneededCopy> unneededCopies(const Graph& graph) {
    std::vector<UnneededCopy> unneeded;
    for (const Node* node : graph.nodes())
        if (const Node* original = copiedAsItIs(*node);
            original && isWhole(*original->type.tensor(), *node->type.tensor()))
            unneeded.push_back({node, original});
    if (unneeded.empty()) return unneeded;
    const Storages written = writtenStorages(graph);
    std::erase_if(unneeded, [&](const UnneededCopy& found) {
        return written.contains(found.copy->type.tensor()->storage) ||
               written.contains(found.original->type.tensor()->storage);
    });
    return unneeded;
}

bool dropUnneededCopies(Graph& graph, std::vector<std::pair<NodeId, NodeId>>& dropped) {
    const std::vector<UnneededCopy> unneeded = unneededCopies(graph);
    std::unordered_map<const Node*, Node*> originals;  // that are not dropped
    std::unordered_map<NodeId, NodeId> kept;
    std::unordered_map<std::int64_t, std::int64_t> moved;  // storages
    for (const auto& [copy, original] : unneeded) {
        const auto earlier = originals.find(original);
        Node* stays = earlier != originals.end() ? earlier->second : graph.findById(original->id());
        originals.emplace(copy, stays);
        kept.emplace(copy->id(), stays->id());
        moved.emplace(copy->type.tensor()->storage, stays->type.tensor()->storage);
        dropped.emplace_back(copy->id(), stays->id());
    }
    for (Node* node : graph.nodes()) {
        if (const auto copy = originals.find(node); copy != originals.end()) graph.replaceAllUses(node, copy->second);
        else moveStorage(node->type, moved);
        // What differentiated a copy now differentiates its original.
        if (const auto it = kept.find(node->autograd.forward); it != kept.end()) node->autograd.forward = it->second;
    }
    return graph.eraseIf([&](const Node* node) { return originals.contains(node); }) > 0;
}

}  // namespace aotscope
