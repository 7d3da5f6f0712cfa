#pragma once

#include "cost/communication.h"
#include "cost/measured_communication.h"
#include "io/rank_timeline.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace aotscope {

/// Tables of the collectives of each graph, with the bytes that this rank sends to each group; empty if there are none.
std::string communicationText(const Communication& found, const WorldShape& world, const Links& links);

/// What moving and repeating collectives changes.
struct CommunicationFigures {
    std::int64_t sentBytes = 0, peakBytes = 0, savedBytes = 0;
    double exposed = 0, total = 0;  ///< milliseconds
};
std::string changedCommunicationText(const CommunicationFigures& before, const CommunicationFigures& after);

/// A table of what was simulated with the links of this process, and measured; empty if nothing was.
std::string againstMeasuredText(const std::vector<GraphAgainstMeasured>& graphs, const Links& links);

/// Both streams of every graph, one graph after the other, as a Chrome trace for Perfetto; the times in which the
/// computation stands still are slices, too. With `timing`, its steps are a second process: as they were measured.
nlohmann::json communicationTrace(const std::vector<GraphCommunication>& graphs, const std::string& model,
                                  const TimingResult* timing = nullptr);
/// What one of `count` ranks, each a process, adds to the trace of all of them: a list of two lists of events, of what
/// was measured, which may be null, and of what is estimated.
nlohmann::json rankTraceEvents(std::size_t rank, std::size_t count, const Communication& estimated,
                               const RankTimeline* measured);
nlohmann::json joinedTrace(const std::vector<nlohmann::json>& ranks);

/// The same as communicationText for the report.
nlohmann::json communicationJson(const Communication& found, const WorldShape& world, const Links& links);

}  // namespace aotscope
