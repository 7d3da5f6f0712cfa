#pragma once

#include "record/results.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace aotscope {

/// What a table of ranks says of one of them.
struct RankRow {
    bool ok = true;
    std::vector<std::string> cells, details;
};

/// `timing` may be null; of the same run for all ranks.
RankRow rankRow(const CheckResult& check, const TimingResult* timing);

/// For ranks that are other processes. Reading throws nlohmann::json::exception.
nlohmann::json rankRowJson(const RankRow& row);
RankRow rankRowFrom(const nlohmann::json& document);

/// A row for every rank, and what differs on each.
std::string ranksText(const std::vector<RankRow>& rows);

}  // namespace aotscope
