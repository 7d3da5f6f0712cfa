#include "io/differences/run_difference_text.h"

#include "io/differences/difference_table.h"
#include "io/differences/graph_difference_text.h"
#include "io/tables/table_text.h"
#include "support/formatted.h"
#include "support/joined.h"

#include <algorithm>
#include <map>
#include <set>

namespace aotscope {

namespace {

constexpr std::size_t kShownNodes = 20, kShownFacts = 20, kShownRows = 40;

std::string moreText(std::size_t count) { return "... and " + std::to_string(count) + " more, which --json lists\n"; }

/// The rows of a list, with these columns. Rows beyond a readable number are replaced by their count.
std::string listText(Table table, std::string_view list, const std::vector<std::string_view>& columns) {
    std::erase_if(table.rows, [list](const Table::Row& row) { return row.cells.front().value != TableValue(list); });
    if (table.rows.empty()) return {};
    table = withColumns(table, columns);
    if (columns.front() == "fate") table.columns.front().title = list;
    const std::size_t more = keepFirst(kShownRows, table);
    return "\n" + tableText(table) + (more > 0 ? moreText(more) : "");
}

/// Graphs that derive from one another differ in the same nodes, which are listed only once.
class NodeLists {
public:
    std::string textOf(const RunDifference::OfGraphs& graphs) {
        std::vector<std::string> lines = differenceLines(graphs.nodes);
        const std::size_t all = lines.size();
        std::erase_if(lines, [this](const std::string& line) { return known_.contains(line); });
        known_.insert(lines.begin(), lines.end());
        std::string text = "\n" + graphs.title + ": " + summaryOf(graphs.nodes);
        if (lines.size() < all)
            text += lines.empty() ? ", as above" : "; " + std::to_string(all - lines.size()) + " as above";
        text += "\n";
        for (std::size_t i = 0; i < std::min(lines.size(), kShownNodes); ++i) text += lines[i] + "\n";
        return lines.size() > kShownNodes ? text + moreText(lines.size() - kShownNodes) : text;
    }

private:
    std::set<std::string> known_;
};

std::string factsText(const std::vector<FactChange>& facts) {
    std::map<Aspect, std::vector<const FactChange*>> byAspect;
    for (const FactChange& change : facts) byAspect[change.aspect].push_back(&change);
    const auto shown = [](const std::string& text) { return text.empty() ? std::string("none") : text; };
    std::string text;
    for (const auto& [aspect, changes] : byAspect) {
        text += "\n" + std::string(name(aspect)) + ":\n";
        for (std::size_t i = 0; i < std::min(changes.size(), kShownFacts); ++i)
            text +=
                "  " + changes[i]->what + ": " + shown(changes[i]->before) + " -> " + shown(changes[i]->after) + "\n";
        if (changes.size() > kShownFacts) text += "  " + moreText(changes.size() - kShownFacts);
    }
    return text;
}

std::string remarks(const RunDifference& difference) {
    std::string text;
    for (const std::string& note : difference.notes) text += note + "\n";
    for (const std::string& what : difference.notCompared) text += "not compared: " + what + "\n";
    return text;
}

}  // namespace

std::string summaryOf(const RunDifference& difference) {
    if (difference.empty()) return "no difference";
    std::vector<std::string> parts;
    for (const auto& each : difference.graphs)
        if (!each.nodes.empty()) parts.push_back(each.title + ": " + summaryOf(each.nodes));
    std::map<Aspect, std::size_t> counts;
    for (const FactChange& change : difference.facts) ++counts[change.aspect];
    for (const auto& [aspect, count] : counts)
        parts.push_back(std::string(name(aspect)) + ": " + std::to_string(count));
    const SummaryDifference& s = difference.summary;
    const auto values = [&](const char* what, std::size_t fewer, std::size_t more) {
        if (fewer + more > 0)
            parts.push_back(std::string(what) + ": " + std::to_string(fewer) + " no longer, " + std::to_string(more) +
                            " now");
    };
    // The figures omit views, which cost nothing; the difference includes them.
    values("saved, with views", s.savedOnlyBefore.size(), s.savedOnlyAfter.size());
    values("recomputed, with views", s.recomputedOnlyBefore.size(), s.recomputedOnlyAfter.size());
    if (difference.onlyCounts && !s.ops.empty()) parts.emplace_back("other numbers of operations");
    return joined(parts, "; ");
}

std::string differenceText(const RunDifference& difference) {
    if (difference.empty()) return "no difference\n" + remarks(difference);
    std::string text = summaryOf(difference) + "\n";
    NodeLists nodes;
    for (const auto& graphs : difference.graphs)
        if (!graphs.nodes.empty()) text += nodes.textOf(graphs);
    const Table table = differenceTable(difference);
    text += listText(table, "ops", {"graph", "op", "before", "after"});
    for (const char* list : {"saved", "recomputed"}) text += listText(table, list, {"fate", "name", "op", "bytes"});
    const SummaryDifference& s = difference.summary;
    if (s.savedBytesBefore != s.savedBytesAfter)
        text += "\nsaved in storages of their own: " + formatBytes(s.savedBytesBefore) + " -> " +
                formatBytes(s.savedBytesAfter) + "\n";
    text += factsText(difference.facts);
    if (const auto& ms = difference.compileMs; ms && ms->first > 0 && ms->second > 0)
        text += "\ncompiled in " + formatDuration(ms->first) + " -> " + formatDuration(ms->second) +
                ", which does not count\n";
    if (const std::string more = remarks(difference); !more.empty()) text += "\n" + more;
    return text;
}

}  // namespace aotscope
