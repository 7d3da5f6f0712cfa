#include "io/tables/trace_tables.h"

#include "io/tables/table_text.h"
#include "io/tables/text_table.h"
#include "load/printed/log/section_kinds.h"
#include "load/trace_log/generated_code.h"
#include "support/joined.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>
#include <map>

namespace aotscope {

namespace {

constexpr std::size_t kShort = 60;

Table::Cell numberCell(std::uint64_t number) { return {static_cast<std::int64_t>(number), std::to_string(number)}; }

/// The first line of a text, truncated to `longest`, for display.
Table::Cell cutCell(const std::string& text, std::size_t longest = 110) { return {text, textCell(text, longest)}; }

Table shapesTable(const CompileStory& story) {
    Table table{"symbols",
                {{"symbol", "symbol", "its name in the graphs"},
                 {"value", "value", "that it had when the graph was traced"},
                 {"range", "range", "that it may have"},
                 {"source", "source", "the size or number that it stands for"},
                 {"place", "used at", "the line of code that created it"}}};
    for (const LoggedSymbol& symbol : story.symbols)
        table.add(symbol.symbol, symbol.value, symbol.range, symbol.source, cutCell(shortPlace(symbol.place)));
    for (const LoggedShapeGuard& guard : story.shapeGuards)
        table.summary += std::string(guard.specialized ? "specialized: " : "guard: ") + oneLine(guard.condition) +
                         (guard.place.known() ? "  (" + shortPlace(guard.place) + ")" : "") + "\n";
    return table;
}

Table metricsTable(const CompileStory& story) {
    Table table{"metrics",
                {{"metric", "metric", "as PyTorch calls it"}, {"value", "value", "what it counted or measured"}}};
    for (const auto& [key, value] : story.metrics) table.add(key, cutCell(value));
    return table;
}

Table collectivesTable(const CompileStory& story) {
    Table table{"collectives", {{"collective", "collective", "as Inductor calls it, in the order of its schedule"}}};
    for (const std::string& name : story.collectives) table.add(cutCell(name));
    return table;
}

/// For a name with very many records, only the first is listed.
Table recordsTable(const TraceLog& log, const TracedCompile& compile, const CompileStory&) {
    constexpr std::size_t mostShown = 20;
    Table table{"records",
                {{"name", "record", "what PyTorch calls it"},
                 {"about", "about", "what it says something of"},
                 {"attempt", "attempt", "of Dynamo, which starts again after a graph break"},
                 {"line", "line", "of the log"},
                 {"bytes", "bytes", "of its payload"},
                 {"count", "", "how many records the row stands for: more than 20 of one name are one row"}}};
    std::map<std::uint32_t, std::size_t> counts;
    for (const LogRecord& record : compile.records) ++counts[record.name];
    std::set<std::uint32_t> summed;
    for (const LogRecord& record : compile.records) {
        const std::size_t many = counts[record.name] > mostShown ? counts[record.name] : 1;
        if (many > 1 && !summed.insert(record.name).second) continue;
        const std::string& name = log.nameOf(record);
        table.add(Table::Cell(name, many > 1 ? name + " (" + std::to_string(many) + ", the first)" : ""),
                  nameOf(topicOf(name)), numberCell(record.attempt), numberCell(record.line),
                  numberCell(record.payload ? record.payload : record.head), numberCell(many));
    }
    return table;
}

Table codeTable(const TraceLog& log, const TracedCompile& compile, const CompileStory&) {
    Table table{"code",
                {{"graph", "graph", "as Inductor numbers it"},
                 {"line", "line", "of Inductor's code"},
                 {"call", "call", "of a kernel, or of an operator"},
                 {"nodes", "nodes", "of the graphs that it computes"},
                 {"operators", "operators", "that it computes"},
                 {"place", "code", "the line of Python that it came from"}}};
    const auto names = [](const std::vector<std::string>& list) {
        return Table::Cell{list, textCell(joined(list, ", "), kShort)};
    };
    if (compile.records.empty()) return table;
    for (const GeneratedCode& code : readGeneratedCode(log, compile)) {
        table.summary += (code.graph.empty() ? "code" : code.graph) + ": " + counted(code.calls.size(), "call") + "\n";
        for (const GeneratedCall& call : code.calls)
            table.add(code.graph, numberCell(call.line), cutCell(call.text, 80),
                      names(call.nodes.empty() ? call.sources : call.nodes), names(call.operators),
                      cutCell(call.places.empty() ? "" : shortPlace(call.places.front()), kShort));
    }
    return table;
}

template <Table (*table)(const CompileStory&)>
Table ofStory(const TraceLog&, const TracedCompile&, const CompileStory& story) {
    return table(story);
}

}  // namespace

std::span<const TraceList> traceLists() {
    static const TraceList lists[] = {
        {"guards", {LogTopic::guards, LogTopic::metrics}, ofStory<loggedGuardsTable>, true},
        {"shapes", {LogTopic::shapes}, ofStory<shapesTable>, true},
        {"collectives", {LogTopic::collectives}, ofStory<collectivesTable>, false, "Collectives, in order"},
        {"times", {LogTopic::times}, ofStory<compileTimesTable>, true},
        {"metrics", {LogTopic::metrics}, ofStory<metricsTable>},
        {"records", {LogTopic::settings}, recordsTable},
        {"code", {LogTopic::settings}, codeTable}};
    return lists;
}

Table listTable(Table one) {
    one.columns.insert(one.columns.begin(),
                       {{"file", "", "name of the file"}, {"compile", "", "id of the compilation"}});
    one.rows.clear();
    one.summary.clear();
    return one;
}

void addRows(Table& table, const TraceLog& log, const TracedCompile& compile, Table one) {
    for (Table::Row& row : one.rows) {
        row.cells.insert(row.cells.begin(), {{log.path.filename().string()}, {compile.id}});
        table.rows.push_back(std::move(row));
    }
}

Table printedTable() {
    return {"texts",
            {{"file", "", "name of the file"},
             {"compile", "compile", "id of the compilation"},
             {"graph", "graph", "that the text has"},
             {"operations", "operations", "of the graph"},
             {"happened", "what happened", "recompilations, graph breaks and failures"}}};
}

Table loggedGuardsTable(const CompileStory& story) {
    Table table{"guards",
                {{"type", "guard", "what kind of guard it is"},
                 {"source", "source", "the value that it checks"},
                 {"check", "condition", "as Python code"},
                 {"why", "asked for by", "the line of code that needs it"}}};
    for (const LoggedGuard& guard : story.guards)
        table.add(guard.type, cutCell(guard.source, kShort), cutCell(guard.check), cutCell(guard.why));
    table.summary = counted(story.guards.size(), "condition");
    if (story.guardCount)
        table.summary += "; Dynamo counts " + counted(static_cast<std::size_t>(*story.guardCount), "guard");
    table.summary += "\n";
    return table;
}

Table compileTimesTable(const CompileStory& story) {
    constexpr TableUnit us = TableUnit::microseconds;
    Table table{"times",
                {{"name", "step", "what the compiler did"},
                 {"us", "time", "that it took, with the steps within it", us},
                 {"start_us", "begins at", "on the clock of the log; for people, from the first step on", us},
                 {"depth", "", "how many steps it is in"}}};
    const double start = story.spans.empty() ? 0 : story.spans.front().start;
    for (const CompileSpan& span : story.spans) {
        const std::string indent(2 * static_cast<std::size_t>(std::min(span.depth, 40)), ' ');
        table.add(Table::Cell(span.name, indent + textCell(span.name)), span.length,
                  Table::Cell(span.start, cellText(table.columns[1], span.start - start)), span.depth);
    }
    return table;
}

}  // namespace aotscope
