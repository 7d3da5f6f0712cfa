#pragma once

#include "record/compile_record.h"
#include "record/history/rank_difference.h"
#include "record/options/options.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace aotscope {

/// One of the ranks that are compared, whether just compiled or read from a file.
struct ComparedRank {
    std::string name;
    WorldShape world;  ///< what is known of its place: a size of 0 says nothing
    std::shared_ptr<const CompileRecord> record;
};

/// The graphs in which a difference is searched: forward, backward, joint and inference, or if no rank has one of
/// these, those that they are made of; of logs all, with Dynamo's first and Inductor's last.
enum class RankGraphs : std::uint8_t { compiled, logged };

/// The first difference of each kind: of operations, of sizes and of numbers in each graph, of the values that are
/// saved, and of the collectives of each group, in their order, and of messages between two ranks. Nodes of one place
/// are compared; devices and names of groups may be each rank's own. `compile`: what the differences say it is of.
std::vector<RankDifference> differencesOf(const std::vector<ComparedRank>& ranks,
                                          RankGraphs graphs = RankGraphs::compiled, const std::string& compile = {});

/// What a report that `--report` has written tells of the run: graphs, saved values and symbols, and the rank. Throws
/// Error, naming `where`, for anything else.
ComparedRank rankOfReport(const nlohmann::json& report, const std::string& where);

}  // namespace aotscope
