#include "verify/measure/run_memory.h"

#include "cost/live_memory.h"
#include "support/formatted.h"
#include "support/resident_memory.h"

namespace aotscope {

std::string whyNoRoom(const CompileRecord& record, const Options& options) {
    if (options.device != "cpu") return {};
    const auto memory = liveMemory(record);
    if (!memory) return {};
    std::int64_t inputs = 0;
    for (const LiveValue& value : memory->values)
        if (value.kind == MemoryKind::input || value.kind == MemoryKind::tangent) inputs += value.bytes;
    const std::int64_t available = availableBytes();
    if (inputs <= available && memory->peakBytes <= available - inputs) return {};
    return "a run takes about " + formatBytes(inputs) + " for its inputs and " + formatBytes(memory->peakBytes) +
           " at its peak, and this machine has " + formatBytes(available) +
           " free; give smaller inputs, or a lower memory budget; what runs nothing (partition, passes, export) needs "
           "no memory for values";
}

}  // namespace aotscope
