#pragma once

#include "record/history/rank_difference.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aotscope {

/// Where ranks differ: a block for each difference, with a line for all ranks with equal values.
std::string rankDifferencesText(const std::vector<RankDifference>& differences, const std::vector<std::string>& ranks);

/// "joint differs first at %tanh": without the values of each rank.
std::string headline(const RankDifference& difference);
/// All compared aspects, in the order of the lines of a comparison.
std::span<const std::pair<RankDifference::Kind, std::string_view>> comparedAspects();

/// A line for each compared aspect: "equal", or where ranks differ first.
std::string rankComparisonText(const RankComparison& comparison);
nlohmann::json rankComparisonJson(const RankComparison& comparison);

}  // namespace aotscope
