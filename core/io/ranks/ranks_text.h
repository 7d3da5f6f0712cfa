#pragma once

#include "record/history/rank_difference.h"
#include "record/results/results.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aotscope {

/// What a table of ranks says of one of them.
struct RankRow {
    bool ok = true;
    std::vector<std::string> cells, details;
};

/// `timing` may be null; of the same run for all ranks.
RankRow rankRow(const CheckResult& check, const TimingResult* timing);

/// For ranks that are other processes. Reading throws Error, a clause.
nlohmann::json rankRowJson(const RankRow& row);
RankRow rankRowFrom(const nlohmann::json& document);

/// A row for every rank, and what differs on each.
std::string ranksText(const std::vector<RankRow>& rows);

/// Where ranks differ: one block for each difference, with a line for all ranks that have the same there.
std::string rankDifferencesText(const std::vector<RankDifference>& differences, const std::vector<std::string>& ranks);

/// "joint differs first at %tanh": without what each rank has.
std::string headline(const RankDifference& difference);
/// All that is compared, in the order of the lines of a comparison.
std::span<const std::pair<RankDifference::Kind, std::string_view>> comparedAspects();

/// Everything that is compared, a line each: "equal", or where ranks differ first.
std::string rankComparisonText(const RankComparison& comparison);
nlohmann::json rankComparisonJson(const RankComparison& comparison);

}  // namespace aotscope
