#include "io/tables/snapshot_tables.h"

#include "support/error.h"
#include "support/formatted.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace aotscope {

namespace {

using Column = Table::Column;

constexpr std::size_t kMostCurvePoints = 10'000;

/// Bytes and blocks of a row.
struct Held {
    std::size_t blocks = 0;
    std::int64_t bytes = 0;
};

const std::string& text(const MemoryStory& story, SnapshotText number) { return story.snapshot->texts[number]; }

/// The last two parts of a path, which are enough to recognize it.
std::string_view endOf(std::string_view file) {
    const auto last = file.rfind('/');
    const auto before = last == std::string_view::npos || last == 0 ? last : file.rfind('/', last - 1);
    return before == std::string_view::npos ? file : file.substr(before + 1);
}

/// "me/train.py:41 in step"; a function of C++ has no file. Code generated from an FX graph may know its node.
std::string placeText(const MemoryStory& story, std::uint32_t frame) {
    if (frame == kNoFrame) return "no frames";
    const SnapshotFrame& found = story.snapshot->frames[frame];
    const std::string& function = text(story, found.function);
    if (found.line == 0) return function;
    return std::string(endOf(text(story, found.file))) + ":" + std::to_string(found.line) + " in " + function +
           (found.node != 0 ? ", node " + text(story, found.node) : "");
}

const Column kHeldCategory = {"category", "Category",
                              "parameter, gradient, optimizer state, activation, temporary, workspace or unknown"};
const Column kHeldBlocks = {"blocks", "Blocks", "how many", TableUnit::none, false, true};
const Column kHeldBytes = {"bytes", "Bytes", "that the program asked for", TableUnit::bytes, false, true};
const Column kHeldShare = {"share", "Share", "of all that is held", TableUnit::share};

/// A line, for people and for programs.
std::vector<Column> lineColumns() {
    return {{"place", "Line", "the innermost line outside PyTorch"},
            {"file", "", "its file, or ?? for C++"},
            {"line", "", "its number"},
            {"function", "", "the function that it is in"}};
}
void addLine(const MemoryStory& story, std::uint32_t frame, std::vector<Table::Cell>& cells) {
    cells.emplace_back(placeText(story, frame));
    if (frame == kNoFrame) {
        cells.resize(cells.size() + 3);
        return;
    }
    const SnapshotFrame& found = story.snapshot->frames[frame];
    cells.emplace_back(text(story, found.file));
    cells.emplace_back(static_cast<std::int64_t>(found.line));
    cells.emplace_back(text(story, found.function));
}

std::vector<Column> allColumns(std::vector<std::vector<Column>> parts) {
    std::vector<Column> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::int64_t allBytes(const MemoryStory& story) {
    return std::accumulate(story.held.begin(), story.held.end(), std::int64_t{0},
                           [](std::int64_t sum, const HeldMemory& held) { return sum + held.allocation.size; });
}

double shareOf(std::int64_t bytes, std::int64_t all) {
    return all == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(all);
}

/// What is held, by a key.
template <typename Key>
std::vector<std::pair<decltype(std::declval<Key>()(HeldMemory())), Held>> heldBy(const MemoryStory& story, Key&& key) {
    std::map<decltype(key(HeldMemory())), Held> sums;
    for (const HeldMemory& held : story.held) {
        Held& sum = sums[key(held)];
        ++sum.blocks;
        sum.bytes += held.allocation.size;
    }
    std::vector<std::pair<decltype(key(HeldMemory())), Held>> rows(sums.begin(), sums.end());
    std::ranges::stable_sort(rows, std::greater(), [](const auto& row) { return row.second.bytes; });
    return rows;
}

/// Lines of two snapshots are the same if their texts are.
using LineKey = std::tuple<MemoryCategory, std::string, std::string, std::int64_t, std::string>;

LineKey lineKey(const MemoryStory& story, const HeldMemory& held) {
    if (held.line == kNoFrame) return {held.category, placeText(story, kNoFrame), "", 0, ""};
    const SnapshotFrame& frame = story.snapshot->frames[held.line];
    return {held.category, placeText(story, held.line), text(story, frame.file), frame.line,
            text(story, frame.function)};
}

std::string momentText(const MemoryStory& story) {
    const std::string device = "device " + std::to_string(story.device) + ": ";
    if (const MemoryEvent* const failure = story.failure())
        return device + "out of memory: " + formatBytes(failure->size) + " were requested, and the device had " +
               formatBytes(static_cast<std::int64_t>(failure->address)) + " free; the program held ";
    if (!story.hasHistory() || story.moment == MemoryMoment::end) return device + "at the end, the program held ";
    return device + "at the peak, the program held ";
}

std::string whenText(const MemoryStory& story) {
    if (!story.hasHistory()) return {};
    std::string when = "after event " + grouped(story.position) + " of " + grouped(story.replay.end());
    if (story.timeAt(story.replay.end()) > 0)
        when += ", " + formatDuration(static_cast<double>(story.timeAt(story.position)) / 1000) + " from the beginning";
    if (const std::size_t steps = story.phases.steps.size(); steps > 0)
        when += ", in step " + std::to_string(story.phases.stepAt(story.position) + 1) + " (" + counted(steps, "step") +
                " ended)";
    return when + "\n";
}

std::string fragmentationText(const MemoryStory& story) {
    const std::int64_t unused = story.reserved() - story.allocated();
    std::string text = formatBytes(unused) + " of the reserved memory was unused, the largest free block of it " +
                       formatBytes(story.largestFree);
    const MemoryEvent* const failure = story.failure();
    const bool expandable = story.snapshot->settings.find("expandable_segments:True") != std::string::npos;
    if (failure && unused >= failure->size && story.largestFree < failure->size)
        text += ": it would have been enough for the request, but not in one piece (fragmentation)" +
                std::string(expandable ? "" : "; PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True avoids that");
    if (!story.snapshot->settings.empty()) text += "\nallocator settings: " + oneLine(story.snapshot->settings);
    return text + "\n";
}

/// What the history does not say.
std::string limitsText(const MemoryStory& story) {
    if (!story.hasHistory())
        return "it has no history, so this is what was held when it was taken; call "
               "torch.cuda.memory._record_memory_history() before the part that matters\n";
    Held before;
    for (const HeldMemory& held : story.held)
        if (held.allocation.allocated == 0) ++before.blocks, before.bytes += held.allocation.size;
    std::string text;
    if (before.blocks > 0)
        text += counted(before.blocks, "block") + " (" + formatBytes(before.bytes) +
                ") were allocated before the history begins\n";
    if (story.replay.freedLater > 0)
        text += counted(story.replay.freedLater, "block") +
                " that the history does not free were gone when the snapshot was taken: recording ended before\n";
    return text;
}

}  // namespace

std::string memoryMomentText(const MemoryStory& story) {
    return momentText(story) + formatBytes(story.allocated()) + ", of " + formatBytes(story.reserved()) +
           " reserved\n" + whenText(story) + fragmentationText(story) + limitsText(story);
}

Table memoryCategoryTable(const MemoryStory& story) {
    Table table{"categories", {kHeldCategory, kHeldBlocks, kHeldBytes, kHeldShare}};
    const std::int64_t all = allBytes(story);
    for (const auto& [category, held] : heldBy(story, [](const HeldMemory& each) { return each.category; }))
        table.add(name(category), held.blocks, held.bytes, shareOf(held.bytes, all));
    return table;
}

Table memoryLineTable(const MemoryStory& story) {
    Table table{"lines", allColumns({{kHeldCategory}, lineColumns(), {kHeldBlocks, kHeldBytes, kHeldShare}})};
    const std::int64_t all = allBytes(story);
    const auto rows = heldBy(story, [](const HeldMemory& each) { return std::pair(each.category, each.line); });
    for (const auto& [key, held] : rows) {
        auto& cells = table.add(name(key.first)).cells;
        addLine(story, key.second, cells);
        cells.emplace_back(held.blocks);
        cells.emplace_back(held.bytes);
        cells.emplace_back(shareOf(held.bytes, all));
    }
    return table;
}

Table memoryBlockTable(const MemoryStory& story) {
    Table table{"blocks",
                allColumns({{{"address", "Address", "in hexadecimal"}, kHeldCategory},
                            lineColumns(),
                            {kHeldBytes,
                             {"event", "Event", "the event that allocated it; missing: before the history begins"},
                             {"step", "Step", "the training step that allocated it, from 1 on"},
                             {"metadata", "", "what torch.cuda.memory._set_memory_metadata had set"},
                             {"frames", "", "where it was allocated, the innermost first", TableUnit::lines}}})};
    for (const HeldMemory& held : story.held) {
        const Allocation& allocation = held.allocation;
        auto& cells =
            table.add(formatted("0x%llx", static_cast<unsigned long long>(allocation.address)), name(held.category))
                .cells;
        addLine(story, held.line, cells);
        cells.emplace_back(allocation.size);
        const bool known = allocation.allocated > 0;
        cells.push_back(known ? Table::Cell(static_cast<std::int64_t>(allocation.allocated)) : Table::Cell());
        cells.push_back(known && !story.phases.steps.empty()
                            ? Table::Cell(story.phases.stepAt(allocation.allocated) + 1)
                            : Table::Cell());
        cells.push_back(Table::given(text(story, allocation.metadata)));
        std::vector<std::string> frames;
        for (const std::uint32_t frame : story.snapshot->framesOf(allocation.stack))
            frames.push_back(placeText(story, frame));
        cells.push_back(frames.empty() ? Table::Cell() : Table::Cell(frames));
    }
    return table;
}

Table memoryCurveTable(const MemoryStory& story) {
    Table table{"curve",
                {{"event", "Event", "after so many events"},
                 {"time_us", "Time", "from the first event", TableUnit::microseconds},
                 {"allocated_bytes", "Allocated", "that the program holds", TableUnit::bytes},
                 {"reserved_bytes", "Reserved", "that the allocator holds", TableUnit::bytes}}};
    const auto& allocated = story.replay.allocated;
    const std::size_t each = (allocated.size() + kMostCurvePoints - 1) / kMostCurvePoints;
    for (std::size_t begin = 0; begin < allocated.size(); begin += each) {
        const auto first = allocated.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto end = first + static_cast<std::ptrdiff_t>(std::min(each, allocated.size() - begin));
        const auto highest = static_cast<MemoryPosition>(std::max_element(first, end) - allocated.begin());
        table.add(static_cast<std::int64_t>(highest), static_cast<double>(story.timeAt(highest)), allocated[highest],
                  story.replay.reserved[highest]);
    }
    return table;
}

Table memoryLeakTable(const MemoryStory& story) {
    Table table{"leaks",
                allColumns({lineColumns(),
                            {{"steps", "Steps", "so many steps allocated some of it"},
                             kHeldBlocks,
                             kHeldBytes,
                             {"bytes_per_step", "Per Step", "that each of these steps adds", TableUnit::bytes}}})};
    for (const MemoryLeak& leak : story.leaks) {
        auto& cells = table.rows.emplace_back().cells;
        addLine(story, leak.line, cells);
        cells.emplace_back(leak.steps);
        cells.emplace_back(leak.blocks);
        cells.emplace_back(leak.bytes);
        cells.emplace_back(leak.bytes / static_cast<std::int64_t>(leak.steps));
    }
    table.whenEmpty =
        story.phases.steps.size() < 5
            ? "Leaks cannot be seen: at least five training steps must be recorded."
            : "No leaks: no line has allocated memory in three steps that was still held two steps later.";
    return table;
}

Table memoryChangeTable(const MemoryStory& before, const MemoryStory& after) {
    Table table{"changes",
                allColumns({{kHeldCategory},
                            lineColumns(),
                            {{"before_bytes", "Before", "in the first snapshot", TableUnit::bytes, false, true},
                             {"after_bytes", "After", "in the second one", TableUnit::bytes, false, true},
                             {"more_bytes", "More", "after minus before", TableUnit::bytes, false, true}}})};
    std::map<LineKey, std::pair<std::int64_t, std::int64_t>> sums;
    for (const HeldMemory& held : before.held) sums[lineKey(before, held)].first += held.allocation.size;
    for (const HeldMemory& held : after.held) sums[lineKey(after, held)].second += held.allocation.size;
    std::vector<std::pair<LineKey, std::pair<std::int64_t, std::int64_t>>> rows(sums.begin(), sums.end());
    const auto more = [](const auto& row) { return row.second.second - row.second.first; };
    std::erase_if(rows, [&](const auto& row) { return more(row) == 0; });
    std::ranges::stable_sort(rows, std::greater(), [&](const auto& row) { return std::abs(more(row)); });
    for (const auto& row : rows) {
        const auto& [category, place, file, line, function] = row.first;
        const bool known = line != 0 || !function.empty();
        table.add(name(category), place, known ? Table::Cell(file) : Table::Cell(),
                  known ? Table::Cell(line) : Table::Cell(), known ? Table::Cell(function) : Table::Cell(),
                  row.second.first, row.second.second, more(row));
    }
    table.whenEmpty = "Both hold the same.";
    return table;
}

MemoryStory emptyMemoryStory() {
    auto nothing = std::make_shared<MemorySnapshot>();
    nothing->texts = {""};
    nothing->stacks = {0, 0};
    return tellMemory(std::move(nothing), 0);
}

}  // namespace aotscope
