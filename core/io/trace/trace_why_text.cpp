// Answers to "why" about compilations of a trace.

#include "io/tables/partition_table.h"
#include "io/tables/table_text.h"
#include "io/tables/text_table.h"
#include "io/trace/trace_log_text.h"
#include "record/partition_figures.h"
#include "support/formatted.h"
#include "support/joined.h"
#include "support/quoted.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace aotscope {

namespace {

std::string compileTitle(const TracedCompile& compile) {
    return compile.id + (compile.code.known() ? "  " + shortPlace(compile.code) : "") + "\n";
}

std::string placeLine(const CodePlace& place) {
    if (!place.known()) return "at a place that is not logged";
    std::string text = place.file + ":" + std::to_string(place.line);
    if (!place.function.empty()) text += " in " + place.function;
    if (!place.code.empty()) text += ": " + place.code;
    return text;
}

std::string indentedLines(const std::string& text, const std::string& indent) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        result += indent + oneLine(text.substr(at, end - at)) + "\n";
        at = end + 1;
    }
    return result;
}

/// The part of a guard's source after the last dot or in quotes: "x" in "L['x']".
std::string localName(const std::string& source) {
    const auto start = source.find("['");
    return start == std::string::npos ? source : source.substr(start + 2, source.find("']", start) - start - 2);
}

}  // namespace

std::string cacheText(const CacheEvent& event) {
    std::string text = event.cache + " cache: " + std::string(nameOf(event.state));
    if (event.savedMs > 0) text += ", " + formatDuration(event.savedMs) + " saved";
    if (!event.reason.empty()) text += ": " + event.reason;
    return text;
}

std::string madeFor(const FailedGuard& failed, const CompileStory& earlier) {
    for (const LoggedGuard& guard : earlier.guards) {
        const auto name = localName(guard.source);
        const bool same = !name.empty() && (failed.check.find("'" + name + "'") != std::string::npos ||
                                            failed.check.find(guard.source) != std::string::npos);
        if (same && (guard.type == "TENSOR_MATCH" || guard.type == "EQUALS_MATCH" || guard.type == "CONSTANT_MATCH"))
            return guard.check;
    }
    return {};
}

std::string whyRecompiledText(const TracedCompile& compile, const CompileStory& story,
                              const std::vector<std::string>& madeFor) {
    if (story.recompiledFor.empty()) return {};
    std::string text = compileTitle(compile);
    for (std::size_t i = 0; i < story.recompiledFor.size(); ++i) {
        const FailedGuard& guard = story.recompiledFor[i];
        text += "  " + (guard.earlier.empty() ? "an earlier compilation" : guard.earlier) +
                " does not fit any more: " + oneLine(guard.check) + "\n";
        if (!guard.hint.empty()) text += "    hint: " + oneLine(guard.hint) + "\n";
        if (guard.place.known()) text += "    asked for by " + oneLine(placeLine(guard.place)) + "\n";
        if (i < madeFor.size() && !madeFor[i].empty())
            text += "    it was compiled for " + textCell(madeFor[i], 300) + "\n";
    }
    for (const LoggedSymbol& symbol : story.symbols)
        text += "  now " + symbol.source + " is a symbol: " + symbol.symbol + " in " + symbol.range + ", here " +
                symbol.value + "\n";
    return text;
}

std::string whyBrokenText(const TracedCompile& compile, const CompileStory& story) {
    if (story.breaks.empty()) return {};
    std::string text = compileTitle(compile);
    for (const GraphBreak& each : story.breaks) {
        text += "  " + oneLine(placeLine(each.place)) + "\n    " + oneLine(each.reason) + "\n";
        if (!each.explanation.empty()) text += indentedLines(each.explanation, "    ");
        if (!each.hint.empty()) text += "    what helps:\n" + indentedLines(each.hint, "      ");
        if (!each.context.empty()) text += "    context: " + textCell(each.context, 300) + "\n";
        if (!each.link.empty()) text += "    " + oneLine(each.link) + "\n";
        for (std::size_t i = 0; i + 1 < each.stack.size(); ++i)
            text += "    called from " + oneLine(placeLine(each.stack[i])) + "\n";
    }
    return text;
}

std::string whyCachedText(const TracedCompile& compile, const CompileStory& story,
                          const std::vector<std::vector<KeyDifference>>& missed) {
    if (story.caches.empty()) return {};
    std::string text = compileTitle(compile);
    for (std::size_t i = 0; i < story.caches.size(); ++i) {
        const CacheEvent& event = story.caches[i];
        text += "  " + oneLine(cacheText(event)) + "\n";
        if (!event.key.empty())
            text += "    key " + event.key + (event.keyParts.empty() ? "" : ", of " + event.keyParts) + "\n";
        if (i >= missed.size() || event.state != CacheEvent::State::miss) continue;
        if (missed[i].empty() && !event.keyParts.empty())
            text += "    nothing like it was looked up before in this log\n";
        const std::string* shown = nullptr;  // a part may span several lines
        for (const KeyDifference& part : missed[i]) {
            if (!shown || *shown != part.part)
                text += "    other than at the lookup most like it: " + oneLine(part.part) + "\n";
            shown = &part.part;
            text += "      there: " + textCell(part.earlier, 300) + "\n      here:  " + textCell(part.now, 300) + "\n";
        }
    }
    return text;
}

Table whySavedTable(const CompileRecord& printed, const CompileRecord* ours, const CompileStory& story) {
    Table table{"saved",
                {{"name", "value", "its name in the forward"},
                 {"type", "type", "dtype and sizes"},
                 {"bytes", "bytes", "that it takes", TableUnit::bytes},
                 {"op", "made by", "the operation that computes it, or the kind of input"},
                 {"users", "for", "the operations of the backward that use it"},
                 {"reason", "why", "the rule that prevents its recomputation"}}};
    if (!printed.partition) return table;
    const Partition& partition = *printed.partition;
    std::map<std::string, std::string> reasons;
    const bool asked = ours && ours->partition;
    if (asked)
        for (const SavedValue& value : ours->partition->saved) reasons[value.name] = value.reason;
    const std::set<std::string> byMinCut =
        story.minCut ? std::set(story.minCut->saved.begin(), story.minCut->saved.end()) : std::set<std::string>();
    for (const SavedValue& value : partition.saved) {
        const Node* input = partition.backward ? partition.backward->findById(value.node) : nullptr;
        std::vector<std::string> users;
        if (input)
            for (const Node* user : input->users()) users.push_back(user->name());
        const auto reason = reasons.find(value.name);
        std::string why = reason != reasons.end() ? reason->second
                          : asked ? std::string("aotscope's partitioner would recompute it or save another value")
                                  : std::string();
        if (byMinCut.contains(value.name)) why += (why.empty() ? "" : "; ") + std::string("in Python's minimum cut");
        table.add(value.name, formatType(partition, value), value.type.bytes(), value.op,
                  Table::Cell(users, textCell(joined(users, ", "), 60)), Table::given(why));
    }
    if (!partition.recomputed.empty())
        table.summary +=
            "recomputed in the backward: " + joined(partition.recomputed, " ", &RecomputedValue::name) + "\n";
    if (ours && !ours->error.empty()) table.summary += "note: " + ours->error + "\n";
    if (story.minCut) table.summary += memoryBudgetText(*story.minCut) + "\n";
    return table;
}

std::string whySavedText(const CompileRecord& printed, const CompileRecord* ours, const CompileStory& story) {
    if (!printed.partition) return {};
    const PartitionFigures figures = figuresOf(*printed.partition);
    return figuresText(figures) + keptText(figures) + "\n" + tableText(whySavedTable(printed, ours, story));
}

std::string memoryBudgetText(const LoggedMinCut& cut) {
    const auto bytes = [](double gigabytes) {
        return formatBytes(std::llround(std::clamp(gigabytes * 1e9, 0.0, 9e18)));
    };
    const bool known = cut.mostGb > 0;  // not in PyTorch 2.11
    std::string text = known ? "memory budget " + formatted("%g", cut.memoryBudget) + ": " + bytes(cut.savedGb) +
                                   " saved; " + bytes(cut.leastGb) + " are the inputs alone, " + bytes(cut.mostGb) +
                                   " run fastest"
                             : "a memory budget below 1, which this version of PyTorch does not log";
    const auto list = [&](const char* what, const std::vector<std::string>& names) {
        if (names.empty()) return;
        text += std::string("; ") + what;
        for (const std::string& name : names) text += " " + name;
    };
    list("kept within it:", cut.keptByKnapsack);
    list("recomputed for it:", cut.recomputed);
    return text;
}

}  // namespace aotscope
