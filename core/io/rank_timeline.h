#pragma once

#include "distributed/world_shape.h"
#include "record/compile_record.h"
#include "record/results.h"

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

/// One rank's steps as they were measured, one after the other; but a wait lasts until the last of the ranks that it
/// waits for gets there. So all ranks have one clock, as if each had a machine of its own. In milliseconds.
struct RankTimeline {
    enum class Lane : std::uint8_t { computation, exchanges, waits };
    struct Span {
        Lane lane = Lane::computation;
        std::string op, node, graph;
        double start = 0, duration = 0;
    };
    std::vector<Span> spans;
    double computing = 0, exchanging = 0, waiting = 0;

    double total() const { return computing + exchanging + waiting; }
};

/// Of all ranks of a world, in their order. A rank that waits for what nobody brings ends there.
std::vector<RankTimeline> rankTimelines(const std::vector<TimedRank>& ranks);

/// A row for every rank.
std::string rankTimelinesText(const std::vector<RankTimeline>& ranks);
/// A list of {"rank", "computing_ms", "exchanging_ms", "waiting_ms", "total_ms"}.
nlohmann::json rankTimelinesJson(const std::vector<RankTimeline>& ranks);

}  // namespace aotscope
