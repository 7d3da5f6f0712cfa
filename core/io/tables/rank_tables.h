#pragma once

#include "record/history/rank_difference.h"
#include "record/results/results.h"
#include "record/table.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// The check of a rank and, if it was timed, its times; otherwise those of the check.
struct RankRow {
    CheckVerdict verdict = CheckVerdict::equal;
    double outputsMaxError = 0, gradsMaxError = 0, eagerMs = 0, compiledMs = 0;
    std::optional<double> ratio;
    std::optional<std::int64_t> peakBytes;
    std::vector<std::string> details;

    bool ok() const { return verdict == CheckVerdict::equal; }
};
/// `timing` may be null.
RankRow rankRow(const CheckResult& check, const TimingResult* timing);
/// A row for every rank, and their differences.
Table rankCheckTable(const std::vector<RankRow>& ranks);
/// A row as JSON. Throws Error, a clause, for anything else.
RankRow rankRowFrom(const nlohmann::json& document);

/// A row for each difference, with a column for each rank's value.
Table rankDifferencesTable(const std::vector<RankDifference>& differences, const std::vector<std::string>& ranks);

/// What the ranks have at one place: a row for all with equal values.
Table rankPlaceTable(const RankDifference& difference, const std::vector<std::string>& ranks);

}  // namespace aotscope
