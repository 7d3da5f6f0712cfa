#pragma once

#include "partition/difference.h"
#include "record/compile_record.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <vector>

namespace aotscope {

/// What runs are compared by, whether just made or read from reports.
struct RunSummary {
    struct Value {
        std::string name, op;
        std::int64_t bytes = 0;
    };
    std::map<std::string, std::map<std::string, int>> ops;  ///< of each graph: how often each operation occurs
    std::vector<Value> saved, recomputed;
    std::int64_t savedBytes = 0;  ///< in storages of their own
};
RunSummary summaryOf(const CompileRecord& record);
/// From a document that `--report` has written. Throws Error, naming `where`, for anything else.
RunSummary summaryOf(const nlohmann::json& report, const std::string& where);

struct RunDifference {
    std::map<std::string, std::map<std::string, CountChange>> ops;  ///< by graph, only what changes
    std::vector<RunSummary::Value> savedOnlyBefore, savedOnlyAfter, recomputedOnlyBefore, recomputedOnlyAfter;
    std::int64_t savedBytesBefore = 0, savedBytesAfter = 0;

    bool empty() const {
        return ops.empty() && savedOnlyBefore.empty() && savedOnlyAfter.empty() && recomputedOnlyBefore.empty() &&
               recomputedOnlyAfter.empty() && savedBytesBefore == savedBytesAfter;
    }
};

/// Values are the same if name and operation are. `graph`: compare only the operations of that graph; empty:
/// everything, and the operations of all graphs that either run has. Throws Error for a graph that neither has.
RunDifference compare(const RunSummary& before, const RunSummary& after, const std::string& graph = {});

nlohmann::json differenceJson(const RunDifference& difference);

}  // namespace aotscope
