// Runs to compare, and what is asked of their differences.
#pragma once

#include "cost/known_machines.h"
#include "io/differences/run_difference_text.h"
#include "io/report.h"
#include "session/session.h"
#include "support/json/json_text.h"
#include "support/text.h"

#include <nlohmann/json.hpp>

#include <map>

namespace aotscope::test {

using nlohmann::json;

struct Opened {
    Options options;
    std::shared_ptr<const CompileRecord> record;

    ComparedRun run() const { return comparedRun(options, record); }
    json report() const { return json::parse(jsonText(makeReport(options, *record, machineOf("cpu")))); }
    ComparedRun reported() const { return comparedReport(report(), "report.json"); }
    Opened with(GraphKind kind, std::shared_ptr<const Graph> graph) const {
        auto copy = std::make_shared<CompileRecord>(*record);
        copy->graphs[kind] = std::move(graph);
        return {options, copy};
    }
};

inline Opened opened(const std::string& model) {
    const auto session = Session::open({.model = model}, {});
    return {session->options(), session->record()};
}

/// Compiled once for all tests.
inline const Opened& sample(const std::string& name) {
    static std::map<std::string, Opened> known;
    const auto it = known.find(name);
    return it == known.end() ? known.emplace(name, opened("sample:" + name)).first->second : it->second;
}

inline bool names(const RunDifference& difference, const std::string& node) {
    const std::string text = differenceText(difference);
    return text.find(node) != std::string::npos;
}

inline AspectSet aspectsOf(const RunDifference& difference) {
    AspectSet all;
    for (const auto& graphs : difference.graphs)
        for (const DifferenceRow& row : graphs.nodes.rows) all = all | row.aspects;
    for (const FactChange& change : difference.facts) all.add(change.aspect);
    return all;
}

inline QString described(const RunDifference& difference) { return q(differenceText(difference)).left(2000); }

}  // namespace aotscope::test
