#include "load/trace_log/trace_graphs.h"

#include "load/printed/log/section_grouping.h"
#include "load/printed/log/section_kinds.h"

namespace aotscope {

namespace {

/// Adds the graph in a record's payload, if any.
void addGraph(const TraceLog& log, const LogRecord& record, SectionOrigin& origin, SectionGrouping& groups) {
    const std::string& name = log.nameOf(record);
    const PrintedKind kind = kindOfRecord(name);
    if (kind == PrintedKind::unknown || record.payload == 0) return;
    origin.number = std::to_string(record.attempt);
    PrintedSection section;
    section.kind = kind;
    section.title = name;
    section.offset = record.offset + record.head;
    section.bytes = record.payload;
    section.line = static_cast<std::size_t>(record.line) + 1;
    section.payload = true;
    groups.add(std::move(section), origin);
}

}  // namespace

LogIndex graphsIn(std::shared_ptr<const TraceLog> log) {
    LogIndex index;
    index.path = log->path;
    index.bytes = log->bytes;
    SectionGrouping groups(index);
    // Whole training steps, and passes over them, belong to no compilation.
    SectionOrigin none;
    for (const LogRecord& record : log->outside) addGraph(*log, record, none, groups);
    for (const TracedCompile& compile : log->compiles) {
        SectionOrigin origin;
        origin.id = compile.id;
        origin.replaces = true;
        for (const auto& [symbol, value] : compile.symbols) groups.hint(origin, symbol, std::to_string(value));
        for (const LogRecord& record : compile.records) addGraph(*log, record, origin, groups);
    }
    index.trace = std::move(log);
    return index;
}

}  // namespace aotscope
