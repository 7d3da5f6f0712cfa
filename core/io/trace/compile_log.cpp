#include "io/trace/compile_log.h"

#include "support/enumerators.h"
#include "support/formatted.h"
#include "support/names.h"

namespace aotscope {

namespace {

std::string passText(const PassRecord& pass) {
    std::string text = pass.changed ? counted(pass.nodesAfter, "operation") : "no changes";
    if (pass.changed && pass.nodesBefore > 0 && pass.nodesBefore != pass.nodesAfter)
        text += ", " + std::to_string(pass.nodesBefore) + " before";
    return text + ", " + formatDuration(pass.ms);
}

class LogWriter {
public:
    std::vector<LogEntry> write(const CompileRecord& record) {
        const std::string model =
            record.model.kind.empty() ? record.model.name : record.model.name + " (" + record.model.kind + ")";
        add(LogLevel::info, "load", model + ", " + formatDuration(record.times.load));
        for (const PassRecord& pass : record.passes) addPass(record, pass);
        addCompilers(record);
        for (const auto& [op, count] : record.fallbacks)
            add(LogLevel::warning, "trace",
                op + " has no shape rule: its real kernel ran on zeros (" +
                    counted(static_cast<std::size_t>(count), "call") + ")");
        for (const Guard& guard : record.guards) add(LogLevel::debug, "guards", "valid while " + guard.text);
        for (const std::string& warning : warningsOf(record)) add(LogLevel::warning, "pipeline", warning);
        for (const std::string& note : record.notes) add(LogLevel::info, "pipeline", note);
        if (record.times.total > 0)
            add(LogLevel::info, "pipeline",
                "compilation " + std::to_string(record.compilation) + " took " + formatDuration(record.times.total));
        if (!record.error.empty()) add(LogLevel::error, "pipeline", record.error);
        return std::move(entries_);
    }

private:
    void add(LogLevel level, std::string_view part, std::string text) {
        entries_.push_back({level, std::string(part), std::move(text)});
    }

    void addPass(const CompileRecord& record, const PassRecord& pass) {
        const std::string_view part = name(pass);
        add(LogLevel::info, part, passText(pass));
        for (const auto& [kind, graph] : pass.graphs)
            add(LogLevel::debug, part,
                graphTitle(record, kind) + ": " + counted(graph->callCount(), "operation") + ", " +
                    counted(graph->nodes().size(), "node"));
        for (const std::string& line : pass.log) add(LogLevel::debug, part, line);
    }

    void addCompilers(const CompileRecord& record) {
        for (const CompilerUse& use : record.compilers) {
            add(LogLevel::info, "compilers", std::string(name(use.graph)) + ": " + use.used);
            if (!use.note.empty()) add(LogLevel::warning, "compilers", use.note);
        }
    }

    std::vector<LogEntry> entries_;
};

}  // namespace

std::string_view name(LogLevel level) { return spelled(level); }

std::vector<LogEntry> compileLog(const CompileRecord& record) { return LogWriter().write(record); }

std::string logText(const std::vector<LogEntry>& entries, LogLevel least) {
    constexpr std::size_t width = 9;
    std::string text;
    for (const LogEntry& entry : entries) {
        if (entry.level > least) continue;
        std::string level(name(entry.level));
        level.resize(width, ' ');
        text += level + entry.part + ": " + entry.text + "\n";
    }
    return text;
}

}  // namespace aotscope
