#include "cost/copy_at_peak.h"

#include "cost/live_memory.h"
#include "ir/provenance.h"
#include "ops/unneeded_copies.h"
#include "support/formatted.h"

#include <algorithm>

namespace aotscope {

namespace {

const Node* nodeAt(const CompileRecord& record, Stage stage, NodeId id) {
    const auto kinds = executedGraphs(record);
    const auto graph = record.graph(stage == Stage::backward ? kinds.back() : kinds.front());
    return graph->findById(id);
}

}  // namespace

std::string copyAtPeak(const CompileRecord& record) {
    const auto memory = liveMemory(record);
    if (!memory || memory->peakBytes < kLargeCopy) return {};
    const MemoryPoint& peak = memory->curve[memory->peak];
    const Node* copy = nodeAt(record, peak.stage, peak.node);
    const Node* original = copy ? copiedAsItIs(*copy) : nullptr;
    if (!original || copy->type.tensor()->bytes() < kLargeCopy) return {};
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
