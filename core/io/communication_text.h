#pragma once

#include "cost/communication.h"
#include "cost/measured_communication.h"
#include "io/rank_timeline.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace aotscope {

/// Tables of the collectives of each graph, with the bytes that this rank sends to each group, or empty.
std::string communicationText(const Communication& found, const WorldShape& world, const Links& links);

/// The effects of moving and repeating collectives.
struct CommunicationFigures {
    std::int64_t sentBytes = 0, peakBytes = 0, savedBytes = 0;
    double exposed = 0, total = 0;  ///< milliseconds
};
std::string changedCommunicationText(const CommunicationFigures& before, const CommunicationFigures& after);

/// A table of simulated times with the links of this process and measured times; empty if nothing was measured.
std::string againstMeasuredText(const std::vector<GraphAgainstMeasured>& graphs, const Links& links);

/// Both streams of every graph, one graph after the other, as a Chrome trace for Perfetto; waiting times of the
/// computation are slices, too. With `timing`, its measured steps are a second process.
nlohmann::json communicationTrace(const std::vector<GraphCommunication>& graphs, const std::string& model,
                                  const TimingResult* timing = nullptr);
/// The events that one of `count` ranks, each a process, adds to their joint trace: a list of two lists, measured
/// events, which may be null, and estimated ones.
nlohmann::json rankTraceEvents(std::size_t rank, std::size_t count, const Communication& estimated,
                               const RankTimeline* measured);
nlohmann::json joinedTrace(const std::vector<nlohmann::json>& ranks);

/// The same content as communicationText, for the report.
nlohmann::json communicationJson(const Communication& found, const WorldShape& world, const Links& links);

}  // namespace aotscope
