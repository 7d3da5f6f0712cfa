#pragma once

#include "io/differences/fact_difference.h"
#include "partition/difference.h"
#include "record/graph_difference.h"
#include "record/options/options.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// How much there is of a run.
struct RunSummary {
    struct Value {
        std::string name, op;
        std::int64_t bytes = 0;
    };
    std::map<std::string, std::map<std::string, int>> ops;  ///< of each graph: how often each operation occurs
    std::vector<Value> saved, recomputed;
    std::size_t savedValues = 0, recomputedOps = 0;  ///< these as PartitionFigures counts them
    std::int64_t savedBytes = 0;
};
RunSummary summaryOf(const CompileRecord& record);

/// What differs in it.
struct SummaryDifference {
    std::map<std::string, std::map<std::string, CountChange>> ops;  ///< by graph, only what changes
    std::vector<RunSummary::Value> savedOnlyBefore, savedOnlyAfter, recomputedOnlyBefore, recomputedOnlyAfter;
    std::int64_t savedBytesBefore = 0, savedBytesAfter = 0;
};
/// `nameAfter`: as compareFacts takes it; null: values are the same if name and operation are.
SummaryDifference compare(const RunSummary& before, const RunSummary& after, const NameAfter& nameAfter = {});
nlohmann::json differenceJson(const SummaryDifference& difference);

/// A run that is compared with another one, whether just made or read from a report.
struct ComparedRun {
    std::shared_ptr<const CompileRecord> record;
    std::shared_ptr<const nlohmann::json> facts;  ///< as factsOf gives them, or the report
    RunSummary summary = {};
    double compileMs = 0;
    bool isReport = false;
    bool exact = true, hasNodes = true;    ///< of a report: see ReportedRun
    std::vector<std::string> unread = {};  ///< of a report

    /// Printed graphs have none.
    bool hasMetadata() const;
};
ComparedRun comparedRun(const Options& options, std::shared_ptr<const CompileRecord> record);
/// From a document that `--report` has written. Throws Error, naming `where`, for anything else.
ComparedRun comparedReport(nlohmann::json report, const std::string& where);

/// Everything in which two runs differ. Text, JSON, picture, the window's tables and exit codes are made of this.
struct RunDifference {
    struct OfGraphs {
        std::string title;  ///< "joint", or "joint after dead-code" of what is not the run's final graph
        GraphDifference nodes;
    };
    SummaryDifference summary;
    std::vector<OfGraphs> graphs;  ///< the final ones that both runs have, and those between that differ
    std::vector<FactChange> facts;
    std::vector<std::string> notCompared;  ///< what only one side has, or a report does not hold
    std::vector<std::string> notes;        ///< what differs and does not count
    std::optional<std::pair<double, double>> compileMs;
    AspectSet ignored;
    bool onlyCounts = false;  ///< a side has no nodes, so that its numbers are what is compared

    bool empty() const;
    /// The final graphs of this kind; null: they were not compared.
    const GraphDifference* of(GraphKind kind) const;
};

/// `graph`: compare only the nodes of that graph; empty: everything. Throws Error for a graph that neither has.
RunDifference compare(const ComparedRun& before, const ComparedRun& after, AspectSet ignored = {},
                      const std::string& graph = {});

nlohmann::json differenceJson(const RunDifference& difference);

}  // namespace aotscope
