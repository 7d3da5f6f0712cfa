#pragma once

#include "io/differences/fact_difference.h"
#include "io/report_reader.h"
#include "partition/difference.h"
#include "record/graph_difference.h"
#include "record/options/options.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// The figures of a run.
struct RunSummary {
    struct Value {
        std::string name, op;
        std::int64_t bytes = 0;
    };
    std::map<std::string, std::map<std::string, int>> ops;  ///< by graph: the number of occurrences of each operation
    std::vector<Value> saved, recomputed;
    std::size_t savedValues = 0, recomputedOps = 0;  ///< counted as in PartitionFigures
    std::int64_t savedBytes = 0;
};
RunSummary summaryOf(const CompileRecord& record);

/// The differences of two summaries.
struct SummaryDifference {
    std::map<std::string, std::map<std::string, CountChange>> ops;  ///< by graph, only changes
    std::vector<RunSummary::Value> savedOnlyBefore, savedOnlyAfter, recomputedOnlyBefore, recomputedOnlyAfter;
    std::int64_t savedBytesBefore = 0, savedBytesAfter = 0;
};
/// `nameAfter`: see compareFacts; null: values match by name and operation.
SummaryDifference compare(const RunSummary& before, const RunSummary& after, const NameAfter& nameAfter = {});
nlohmann::json differenceJson(const SummaryDifference& difference);

/// A run to be compared with another one, either new or read from a report.
struct ComparedRun : ReportedRun {
    std::shared_ptr<const nlohmann::json> facts = nullptr;  ///< from factsOf, or the report
    RunSummary summary = {};
    double compileMs = 0;
    bool isReport = false;

    /// False for printed graphs.
    bool hasMetadata() const;
};
ComparedRun comparedRun(const Options& options, std::shared_ptr<const CompileRecord> record);
/// From a document written by `--report`. Throws Error, naming `where`, for anything else.
ComparedRun comparedReport(nlohmann::json report, const std::string& where);

/// All differences between two runs. Text, JSON, picture, the window's tables and exit codes are derived from this.
struct RunDifference {
    struct OfGraphs {
        std::string title;  ///< "joint", or "joint after dead-code" for a graph that is not final
        GraphDifference nodes;
    };
    SummaryDifference summary;
    std::vector<OfGraphs> graphs;  ///< the final graphs that both runs have, and earlier ones that differ
    std::vector<FactChange> facts;
    std::vector<std::string> notCompared;  ///< what only one side has, or a report omits
    std::vector<std::string> notes;        ///< ignored differences
    std::optional<std::pair<double, double>> compileMs;
    AspectSet ignored;
    bool onlyCounts = false;  ///< one side has no nodes, so only numbers are compared

    bool empty() const;
    /// The final graphs of this kind; null if not compared.
    const GraphDifference* of(GraphKind kind) const;
};

/// `graph`: compare only the nodes of that graph; empty: everything. Throws Error for a graph that neither side has.
RunDifference compare(const ComparedRun& before, const ComparedRun& after, AspectSet ignored = {},
                      const std::string& graph = {});

nlohmann::json differenceJson(const RunDifference& difference);

}  // namespace aotscope
