#include "load/printed/log/section_grouping.h"

#include <algorithm>
#include <charconv>

namespace aotscope {

namespace {

bool has(const PrintedCompile& compile, PrintedKind kind) {
    return std::any_of(compile.sections.begin(), compile.sections.end(),
                       [&](const PrintedSection& s) { return s.kind == kind; });
}

/// A kind that already exists begins another compilation, and so does a graph that precedes the existing ones.
bool startsAnew(const PrintedCompile& compile, PrintedKind kind) {
    switch (kind) {
        case PrintedKind::postGrad:
        case PrintedKind::pass:
        case PrintedKind::metadata: return false;
        case PrintedKind::unknown: return true;
        case PrintedKind::backward: return has(compile, kind) || has(compile, PrintedKind::inference);
        case PrintedKind::inference:
            return has(compile, kind) || has(compile, PrintedKind::joint) || has(compile, PrintedKind::forward);
        default:
            return has(compile, kind) || has(compile, PrintedKind::backward) || has(compile, PrintedKind::inference) ||
                   has(compile, PrintedKind::unknown);
    }
}

}  // namespace

void SectionGrouping::add(PrintedSection section, const SectionOrigin& origin) {
    PrintedCompile& compile = placeFor(section.kind, origin);
    compile.sections.push_back(std::move(section));
}

void SectionGrouping::hint(const SectionOrigin& origin, std::string_view symbol, std::string_view value) {
    std::int64_t number = 0;
    if (std::from_chars(value.data(), value.data() + value.size(), number).ec != std::errc{}) return;
    hints_[origin.id].insert_or_assign(std::string(symbol), number);
}

PrintedCompile& SectionGrouping::placeFor(PrintedKind kind, const SectionOrigin& origin) {
    const auto known = latest_.find(origin.process + " " + origin.id);
    if (known == latest_.end()) return start(origin);
    Latest& latest = known->second;
    PrintedCompile& compile = index_.compiles[latest.compile];
    const bool other = !origin.number.empty() && !latest.number.empty() && origin.number != latest.number;
    if (other && origin.replaces) {
        compile.sections.clear();
        latest.number = origin.number;
        return compile;
    }
    if (!origin.number.empty() && latest.number.empty()) latest.number = origin.number;
    return other || startsAnew(compile, kind) ? start(origin) : compile;
}

PrintedCompile& SectionGrouping::start(const SectionOrigin& origin) {
    const int count = ++counts_[origin.id];
    PrintedCompile compile;
    if (origin.id.empty()) compile.id = std::to_string(count - 1);
    else compile.id = origin.id + (count > 1 ? "#" + std::to_string(count) : "");
    if (const auto it = hints_.find(origin.id); it != hints_.end()) compile.hints = it->second;
    index_.compiles.push_back(std::move(compile));
    latest_[origin.process + " " + origin.id] = {index_.compiles.size() - 1, origin.number};
    return index_.compiles.back();
}

}  // namespace aotscope
