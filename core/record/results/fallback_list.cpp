#include "record/results/fallback_list.h"

#include "ir/printer.h"
#include "support/names.h"

#include <algorithm>
#include <map>

namespace aotscope {

namespace {

void append(std::vector<std::string>& list, std::vector<std::string> more) {
    for (std::string& text : more)
        if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

std::string times(int count) { return counted(static_cast<std::size_t>(count), "time"); }

}  // namespace

std::vector<std::string> fallbacksOf(const CompileRecord& record) {
    std::vector<std::string> list = record.fellBack;
    for (const auto& [op, count] : record.fallbacks)
        list.push_back(op + " has no shape rule; its real kernel ran " + times(count) + " on zeros while tracing");
    if (record.crossCheck)
        for (const auto& [reason, count] : record.crossCheck->skipped)
            list.push_back("a fake result was not compared with the real kernel's " + times(count) + ": " + reason);
    append(list, fallbacksOf(record.compilers));
    return list;
}

std::vector<std::string> fallbacksOf(const std::vector<CompilerUse>& compilers) {
    std::vector<std::string> list;
    for (const CompilerUse& use : compilers)
        if (!use.note.empty()) append(list, {use.note});
    return list;
}

std::vector<std::string> fallbacksOf(const CheckResult& check) {
    std::vector<std::string> list = fallbacksOf(check.compilers);
    for (const Recompilation& recompilation : check.recompilations)
        if (recompilation.record) append(list, fallbacksOf(*recompilation.record));
    if (!check.backwardError.empty())
        list.push_back("gradients were not compared, for eager's backward fails: " + check.backwardError);
    for (const SizeCheck& size : check.sizes)
        if (!size.refused.empty())
            list.push_back("nothing was compared at " + printSizes(size.sizes) +
                           ", where eager does not run: " + size.refused);
    return list;
}

std::vector<std::string> fallbacksOf(const BisectResult& bisect) { return bisect.notes; }

std::string whatRanInstead(const std::vector<CompilerUse>& compilers) {
    std::map<std::pair<std::string, std::string>, std::size_t> graphs;
    for (const CompilerUse& use : compilers)
        if (use.used != use.chosen) ++graphs[{use.used, use.chosen}];
    std::string text;
    for (const auto& [which, count] : graphs)
        text += (text.empty() ? "" : ", ") + counted(count, "graph") + " ran by the " + which.first + " instead of " +
                which.second;
    return text;
}

void requireNone(const std::vector<std::string>& fallbacks, const Options& options) {
    if (!options.strict || fallbacks.empty()) return;
    const std::size_t others = fallbacks.size() - 1;
    throw Error("--strict: " + fallbacks.front() + (others > 0 ? "; and " + std::to_string(others) + " more" : ""));
}

}  // namespace aotscope
