#pragma once

#include "distributed/world_shape.h"
#include "record/compile_record.h"
#include "record/results/results.h"
#include "record/results/step_moment.h"
#include "record/table.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// One of the ranks that were timed together.
struct TimedRank {
    std::shared_ptr<const CompileRecord> record;
    WorldShape world;
    const TimingResult* timing = nullptr;
};

/// One rank's measured steps on the clock of all ranks, in milliseconds.
struct RankTimeline {
    enum class Lane : std::uint8_t { computation, exchanges, waits };
    struct Span {
        Lane lane = Lane::computation;
        std::string op, node;
        GraphKind graph = GraphKind::forward;
        double start = 0, duration = 0;
    };
    std::vector<Span> spans;
    double computing = 0, exchanging = 0, waiting = 0;
    double clockWithin = 0;  ///< uncertainty of its clock relative to rank 0; 0: there is one clock

    double total() const { return computing + exchanging + waiting; }
};

/// For all ranks of a world that took turns, in rank order: one step after the other, but a wait lasts until the last
/// of the ranks involved arrives. They share one clock, as if each had its own machine. A rank that waits for something
/// that never comes ends there.
std::vector<RankTimeline> rankTimelines(const std::vector<TimedRank>& ranks);

/// For one rank that is a process, as its steps ran. `origin`: time 0 on the clock of `moments`.
RankTimeline timelineOfRun(const std::vector<StepMoment>& moments, const CompileRecord& record, std::int64_t origin);

/// A row for every rank.
Table rankTimelineTable(const std::vector<RankTimeline>& ranks);
std::string rankTimelinesText(const std::vector<RankTimeline>& ranks);
/// A row as JSON, without the spans. Throws Error, a clause, for anything else.
RankTimeline rankTimelineFrom(const nlohmann::json& document);

}  // namespace aotscope
