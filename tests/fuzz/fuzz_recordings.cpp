// What PyTorch records while a program runs.

#include "cost/snapshot/memory_story.h"
#include "fuzz/expect.h"
#include "fuzz/fuzz_targets.h"
#include "io/tables/snapshot_tables.h"
#include "io/tables/table_text.h"
#include "load/snapshot/snapshot_reader.h"

namespace aotscope::fuzz {

void fuzzMemorySnapshot(std::string_view bytes) {
    const auto snapshot = readMemorySnapshot(bytes, {});
    for (const std::size_t device : devicesOf(*snapshot)) {
        const MemoryStory story = tellMemory(snapshot, device);
        std::int64_t held = 0;
        for (const HeldMemory& each : story.held) held += each.allocation.size;
        expect(held == story.allocated(), "what is held is not what was allocated");
        expect(!memoryMomentText(story).empty() && !tableText(memoryLineTable(story)).empty(), "nothing is said");
        for (const Table& table : {memoryBlockTable(story), memoryCurveTable(story), memoryLeakTable(story)})
            expect(!tableCsv(table).empty(), "a table is empty");
    }
}

}  // namespace aotscope::fuzz
