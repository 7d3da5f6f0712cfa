// What PyTorch records while a program runs.

#include "cost/snapshot/memory_story.h"
#include "fuzz/expect.h"
#include "fuzz/fuzz_targets.h"
#include "io/tables/hang_table.h"
#include "io/tables/snapshot_tables.h"
#include "io/tables/table_text.h"
#include "load/flight_recorder/flight_reader.h"
#include "load/flight_recorder/hang.h"
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

/// The dump of one rank, or, in lines, those of several as JSON.
void fuzzFlightDump(std::string_view bytes) {
    std::vector<FlightDump> dumps;
    for (int rank = 0; rank < 8 && !bytes.empty(); ++rank) {
        const std::size_t end = bytes.starts_with('{') ? std::min(bytes.find('\n'), bytes.size()) : bytes.size();
        dumps.push_back(readFlightDump(bytes.substr(0, end), rank));
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    const HangReport report = findHangs(std::move(dumps));
    expect(!hangText(report).empty() && hangTable(report).rows.size() == report.dumps.size(), "nothing is said");
    for (const Hang& hang : report.hangs) expect(!hang.calls.empty(), "nobody has called what hangs");
}

}  // namespace aotscope::fuzz
