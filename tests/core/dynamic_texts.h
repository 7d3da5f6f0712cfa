// Remarks of a compilation with dynamic shapes about its sizes, as text.
#pragma once

#include "support/models.h"
#include "support/text.h"

namespace aotscope::test {

/// As in the header of a graph.
inline QString textOf(const Symbol& symbol) {
    return q(symbol.name + " = " + std::to_string(symbol.hint) + " in " + std::to_string(symbol.min) + ".." +
             (symbol.max == Symbol::kNoMax ? "" : std::to_string(symbol.max)) + " from \"" + symbol.origin + "\"");
}

inline QString graphOf(const CompileRecord& record) {
    const auto joint = record.graph(GraphKind::joint), inference = record.graph(GraphKind::inference);
    return joint || inference ? q(printGraph(joint ? *joint : *inference)) : QString();
}

inline QString guardsOf(const CompileRecord& record) {
    QStringList lines;
    for (const Guard& guard : record.guards) lines << q(guard.text + " (" + guard.reason + ")");
    return lines.join(u'\n');
}

inline Options withSizes(std::vector<SymbolValues> sizes) { return {.checkSizes = std::move(sizes)}; }

inline QString detailsOf(const CheckResult& result) {
    QStringList lines;
    for (const auto& detail : result.details) lines << q(detail);
    for (const SizeCheck& size : result.sizes)
        if (size.recompiled) lines << q("recompiled: " + size.reason);
    return lines.join(u'\n');
}

}  // namespace aotscope::test
