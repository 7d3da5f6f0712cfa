#pragma once

#include "cost/snapshot/memory_story.h"
#include "record/table.h"

#include <string>

namespace aotscope {

/// What a memory snapshot says, for people: the moment, what fragmentation costs there, and what limits the rest.
std::string memoryMomentText(const MemoryStory& story);

/// What is held at the moment, by category. Each table has the largest rows first.
Table memoryCategoryTable(const MemoryStory& story);
/// The same, by category and source line.
Table memoryLineTable(const MemoryStory& story);
/// The same, every block.
Table memoryBlockTable(const MemoryStory& story);
/// Allocated and reserved bytes over the history: every event, or so many whose allocated bytes are the highest.
Table memoryCurveTable(const MemoryStory& story);
/// Memory that step after step allocates and does not free.
Table memoryLeakTable(const MemoryStory& story);
/// What two snapshots hold, by category and source line, the largest difference first.
Table memoryChangeTable(const MemoryStory& before, const MemoryStory& after);

/// A story of nothing, for descriptions of the tables.
MemoryStory emptyMemoryStory();

}  // namespace aotscope
