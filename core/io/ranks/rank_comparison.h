#pragma once

#include "record/compile_record.h"
#include "record/history/rank_difference.h"
#include "record/options/options.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace aotscope {

/// One of the compared ranks, either compiled now or read from a file.
struct ComparedRank {
    std::string name;
    WorldShape world;  ///< its place, as far as known: a size of 0 is unknown
    std::shared_ptr<const CompileRecord> record;
};

/// The graphs to compare: forward, backward, joint and inference or, if no rank has one of these, the graphs they
/// derive from; for logs all, from Dynamo's to Inductor's.
enum class RankGraphs : std::uint8_t { compiled, logged };

/// The first difference of each kind: in the operations, sizes and numbers of each graph, the saved values, the
/// collectives of each group and their order, and the messages between two ranks. Compares nodes at equal positions;
/// devices and names of groups may differ. `compile`: the compilation that the differences name.
std::vector<RankDifference> differencesOf(const std::vector<ComparedRank>& ranks,
                                          RankGraphs graphs = RankGraphs::compiled, const std::string& compile = {});

/// Reads graphs, saved values, symbols and the rank of a run from its `--report`. Throws Error, naming `where`, for
/// anything else.
ComparedRank rankOfReport(const nlohmann::json& report, const std::string& where);

}  // namespace aotscope
