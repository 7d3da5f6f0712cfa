#include "load/trace_log/trace_graphs.h"

#include "load/printed/section_grouping.h"
#include "load/printed/section_kinds.h"

namespace aotscope {

LogIndex graphsIn(std::shared_ptr<const TraceLog> log) {
    LogIndex index;
    index.path = log->path;
    index.bytes = log->bytes;
    SectionGrouping groups(index);
    for (const TracedCompile& compile : log->compiles) {
        SectionOrigin origin;
        origin.id = compile.id;
        origin.replaces = true;
        for (const auto& [symbol, value] : compile.symbols) groups.hint(origin, symbol, std::to_string(value));
        for (const LogRecord& record : compile.records) {
            const std::string& name = log->nameOf(record);
            const PrintedKind kind = kindOfRecord(name);
            if (kind == PrintedKind::unknown || record.payload == 0) continue;
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
    }
    index.trace = std::move(log);
    return index;
}

}  // namespace aotscope
