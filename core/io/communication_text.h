#pragma once

#include "cost/communication.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace aotscope {

/// Tables of the collectives of each graph, with the bytes that this rank sends to each group; empty if there are none.
std::string communicationText(const Communication& found, const WorldShape& world, const Links& links);

/// Both streams of every graph, one graph after the other, as a Chrome trace for Perfetto; the times in which the
/// computation stands still are slices, too.
nlohmann::json communicationTrace(const std::vector<GraphCommunication>& graphs, const std::string& model);

/// The same as communicationText for the report.
nlohmann::json communicationJson(const Communication& found, const WorldShape& world, const Links& links);

}  // namespace aotscope
