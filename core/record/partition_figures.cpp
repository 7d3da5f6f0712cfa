#include "record/partition_figures.h"

#include "ops/collectives.h"
#include "ops/op_table.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

/// The storages of the tensors in `type`; -1 for unknown ones.
std::vector<std::int64_t> storagesIn(const ValueType& type) {
    std::vector<std::int64_t> storages;
    if (const TensorType* tensor = type.tensor()) storages.push_back(tensor->storage);
    if (const TupleType* tuple = type.tuple())
        for (const ValueType& element : *tuple)
            if (const TensorType* tensor = element.tensor()) storages.push_back(tensor->storage);
    return storages;
}

/// For an operation without known storages, by name; operations such as `reshape` may copy.
bool isViewByName(const Node& node) { return hasTag(node, kView) || opFamily(node.op()) == OpFamily::view; }

bool isSizeByName(std::string_view op) { return op.starts_with("operator.") || op.starts_with("aten.sym_"); }

bool isView(const Node& node) {
    if (hasTag(node, kView) || node.isCall("aten._unsafe_view.default") || isWait(node)) return true;
    if (isMutating(node.op())) return false;
    const auto own = storagesIn(node.type);
    if (own.empty() || std::ranges::find(own, -1) != own.end()) return isViewByName(node);
    return std::ranges::all_of(own, [&](std::int64_t storage) {
        return std::ranges::any_of(node.inputs(), [&](const Node* input) {
            const auto given = storagesIn(input->type);
            return std::ranges::find(given, storage) != given.end();
        });
    });
}

/// The node whose memory a view without a known storage shares; the node itself if it is not a view.
const Node* baseOf(const Node* node) {
    while (node->kind() == NodeKind::call && !node->inputs().empty() && node->type.tensor() &&
           node->type.tensor()->storage < 0 && !isMutating(node->op()) && isViewByName(*node) && !isGetitem(*node))
        node = node->inputs().front();
    return node;
}

std::int64_t bytesOfStorage(const TensorType& type) {
    return type.storage >= 0 && type.storageBytes > 0 ? type.storageBytes : type.bytes();
}

/// Storages that are already counted.
class Owners {
public:
    explicit Owners(const Graph* forward) : forward_(forward) {
        if (!forward) return;
        for (const Node* node : forward->nodes())
            if (node->kind() == NodeKind::placeholder || node->kind() == NodeKind::constant) claim(node, *node);
    }

    PartitionFigures::Saved add(const SavedValue& value) {
        if (value.kind == SavedValue::Kind::symint) return {SavedShare::number, 0, kNoNode};
        const Node* node = forward_ ? forward_->findById(value.node) : nullptr;
        if (value.kind == SavedValue::Kind::input) return {SavedShare::input, 0, kNoNode};
        if (node && node->kind() == NodeKind::constant) return {SavedShare::constant, 0, kNoNode};
        const Node* base = node ? baseOf(node) : nullptr;
        const NodeId owner = ownerOf(value, base);
        if (owner != kNoNode) return {SavedShare::view, 0, owner};
        if (value.type.storage >= 0) byStorage_.emplace(value.type.storage, value.node);
        if (base) byNode_.emplace(base, value.node);
        return {SavedShare::own, bytesOfStorage(value.type), kNoNode};
    }

private:
    void claim(const Node* memory, const Node& owner) {
        byNode_.emplace(memory, owner.id());
        if (const TensorType* type = memory->type.tensor(); type && type->storage >= 0)
            byStorage_.emplace(type->storage, owner.id());
    }

    NodeId ownerOf(const SavedValue& value, const Node* base) const {
        if (const auto known = byStorage_.find(value.type.storage); known != byStorage_.end()) return known->second;
        const auto known = base ? byNode_.find(base) : byNode_.end();
        return known == byNode_.end() ? kNoNode : known->second;
    }

    const Graph* forward_;
    std::unordered_map<std::int64_t, NodeId> byStorage_;
    std::unordered_map<const Node*, NodeId> byNode_;  ///< for unknown storages
};

void countSaved(const Partition& partition, PartitionFigures& figures) {
    Owners owners(partition.forward.get());
    for (const SavedValue& value : partition.saved) {
        const PartitionFigures::Saved& share = figures.saved.emplace_back(owners.add(value));
        figures.savedValues += share.share == SavedShare::own;
        figures.savedBytes += share.bytes;
        figures.keptViews += share.share == SavedShare::view;
        figures.keptSizes += share.share == SavedShare::number;
        if (share.share != SavedShare::input && share.share != SavedShare::constant) continue;
        ++figures.keptInputs;
        figures.keptInputBytes += value.type.bytes();
    }
}

void countRecomputed(const Partition& partition, PartitionFigures& figures) {
    for (const RecomputedValue& value : partition.recomputed) {
        const Node* node = partition.backward ? partition.backward->findById(value.node) : nullptr;
        const auto bytes = node ? computedBytes(*node) : std::optional(value.bytes);
        figures.recomputed.push_back(bytes);
        figures.recomputedOps += bytes.has_value();
        figures.recomputedBytes += bytes.value_or(0);
    }
}

}  // namespace

std::optional<std::int64_t> computedBytes(const Node& node) {
    const bool number = node.type.known() ? storagesIn(node.type).empty() : isSizeByName(node.op());
    if (node.kind() != NodeKind::call || isGetitem(node) || number || isView(node)) return std::nullopt;
    return node.type.tensorBytes();
}

PartitionFigures figuresOf(const Partition& partition) {
    PartitionFigures figures;
    countSaved(partition, figures);
    countRecomputed(partition, figures);
    return figures;
}

std::size_t gradientCount(const Graph& graph) {
    std::size_t count = 0;
    const auto& slots = graph.outputSlots();
    for (std::size_t i = 0; i < slots.size() && i < graph.outputs().size(); ++i)
        count += slots[i].role == Role::gradient && graph.outputs()[i].node();
    return count;
}

std::string figuresText(const PartitionFigures& figures) {
    std::string text = counted(figures.savedValues, "value") + " saved, " + formatBytes(figures.savedBytes) + "; " +
                       counted(figures.recomputedOps, "operation") + " recomputed";
    if (figures.recomputedOps > 0) text += ", " + formatBytes(figures.recomputedBytes);
    return text;
}

std::string keptText(const PartitionFigures& figures) {
    std::string text;
    const auto add = [&](std::size_t count, const char* what) {
        if (count > 0) text += (text.empty() ? "; already kept: " : ", ") + counted(count, what);
    };
    add(figures.keptInputs, "input");
    if (figures.keptInputs > 0) text += " (" + formatBytes(figures.keptInputBytes) + ")";
    add(figures.keptViews, "view");
    add(figures.keptSizes, "size");
    return text;
}

RecomputedValue recomputedValue(const Node& node) {
    return {node.id(), node.name(), node.op(), computedBytes(node).value_or(0)};
}

}  // namespace aotscope
