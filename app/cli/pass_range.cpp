#include "cli/pass_range.h"

#include "cli/require_compiled.h"
#include "support/error.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

PassGraph graphLeftBy(const CompileRecord& record, std::size_t pass) {
    const auto& graphs = record.passes[pass].graphs;
    if (graphs.size() == 1) return {pass, graphs[0].first, graphs[0].second};
    std::vector<std::string> kinds;
    for (const auto& [kind, graph] : graphs) kinds.emplace_back(name(kind));
    throw UsageError("--passes: pass '" + std::string(name(record.passes[pass])) + "' has left " +
                     std::to_string(kinds.size()) + " graphs; name one of " + quotedNames(kinds));
}

/// All names that --passes accepts.
std::vector<std::string> namesIn(const CompileRecord& record) {
    std::vector<std::string> names;
    for (const PassRecord& pass : record.passes)
        if (pass.graphs.size() == 1) names.emplace_back(name(pass));
    for (const auto& [kind, graph] : record.graphs)
        if (std::ranges::find(names, name(kind)) == names.end()) names.emplace_back(name(kind));
    return names;
}

}  // namespace

PassRange parsePassRange(const std::string& text) {
    const auto dots = text.find("..");
    if (dots == std::string::npos || dots == 0 || dots + 2 == text.size())
        throw UsageError("--passes " + text + ": expected FROM..TO, for example functional..joint");
    return {text.substr(0, dots), text.substr(dots + 2)};
}

PassGraph graphNamed(const CompileRecord& record, const std::string& wanted) {
    if (const auto pass = passNamed(record, wanted)) return graphLeftBy(record, *pass);
    if (const auto kind = graphKindFromName(wanted); kind && record.graph(*kind))
        return {record.passes.size() - 1, *kind, record.graph(*kind)};
    if (!record.error.empty()) throw Error(record.error);
    throw UsageError("--passes: this run has no pass or graph '" + wanted + "'" + whyTheseGraphs(record) + "; it has " +
                     quotedNames(namesIn(record)));
}

}  // namespace aotscope
