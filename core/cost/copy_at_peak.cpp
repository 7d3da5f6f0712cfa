#include "cost/copy_at_peak.h"

#include "cost/live_memory.h"
#include "ir/provenance.h"
#include "support/formatted.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr std::int64_t kWorthSaying = 1 << 20;  ///< bytes

const Node* nodeAt(const CompileRecord& record, Stage stage, NodeId id) {
    const auto kinds = executedGraphs(record);
    const auto graph = record.graph(stage == Stage::backward ? kinds.back() : kinds.front());
    return graph->findById(id);
}

/// The original of an unneeded copy; null for anything else.
const Node* originalOf(const Node& copy) {
    const Node* original = copy.isCall("aten.clone.default") && !copy.args().empty() ? copy.args()[0].node() : nullptr;
    const TensorType *from = original ? original->type.tensor() : nullptr, *to = copy.type.tensor();
    return from && to && from->storage >= 0 && from->sameLayout(*to) ? original : nullptr;
}

}  // namespace

std::string copyAtPeak(const CompileRecord& record) {
    const auto memory = liveMemory(record);
    if (!memory || memory->peakBytes < kWorthSaying) return {};
    const MemoryPoint& peak = memory->curve[memory->peak];
    const Node* copy = nodeAt(record, peak.stage, peak.node);
    const Node* original = copy ? originalOf(*copy) : nullptr;
    if (!original || copy->type.tensor()->bytes() < kWorthSaying) return {};
    const auto endsHere = [&](const LiveValue& value) {
        const Node* owner = value.last == memory->peak ? nodeAt(record, peak.stage, value.node) : nullptr;
        const TensorType* type = owner ? owner->type.tensor() : nullptr;
        return type && type->storage == original->type.tensor()->storage && !isGiven(value.kind) &&
               value.kind != MemoryKind::output;
    };
    if (std::ranges::none_of(memory->values, endsHere)) return {};
    const std::string place = placeText(provenanceOf(*copy).source.get());
    return "memory has its peak, " + formatBytes(memory->peakBytes) + ", where %" + copy->name() +
           (place.empty() ? "" : " (" + place + ")") + " copies %" + original->name() + " (" +
           formatBytes(copy->type.tensor()->bytes()) + "), which nothing uses afterwards: leave the copy out";
}

}  // namespace aotscope
