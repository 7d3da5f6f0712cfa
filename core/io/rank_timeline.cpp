#include "io/rank_timeline.h"

#include "distributed/group_keys.h"
#include "io/tables/table_text.h"
#include "ops/collectives.h"
#include "record/results/graph_times.h"
#include "support/formatted.h"
#include "support/json/message_members.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace aotscope {

namespace {

/// What a step exchanges with other ranks: its part of a collective, or a message.
struct Exchanged {
    std::string key;
    std::size_t ranks = 1;  ///< that contribute
};

struct ExchangingStep {
    const StepTime* step = nullptr;
    double ms = 0;
    std::vector<Exchanged> brings, needs;
};

/// Numbers a rank's exchanges as collectives are numbered when they run.
class StepsOfRank {
public:
    explicit StepsOfRank(const TimedRank& rank) : groups_(rank.world) {
        if (!rank.timing) return;
        for (const GraphKind kind : executedGraphs(*rank.record)) {
            const auto graph = rank.record->graph(kind);
            if (!graph) continue;
            noteGroupSizes(*graph, groups_);
            for (const Node* node : graph->nodes()) nodes_[{kind, node->id()}] = node;
        }
        const GraphTimes times(*rank.timing);
        for (const StepTime& step : rank.timing->steps) {
            const auto node = nodes_.find({step.graph, step.node});
            ExchangingStep exchanging{&step, times.stepUs(step) / 1000, {}, {}};
            if (node != nodes_.end()) addExchanges(*node->second, exchanging);
            steps_.push_back(std::move(exchanging));
        }
    }

    std::vector<ExchangingStep> take() { return std::move(steps_); }

private:
    void addExchanges(const Node& node, ExchangingStep& step) {
        if (isWait(node)) {
            const auto awaited = awaited_.find(waitedFor(node));
            if (awaited != awaited_.end()) step.needs = awaited->second;
            return;
        }
        const auto call = collectiveOf(node);
        if (!call) return;
        const RankGroup group = groups_.groupOf(call->group, call->groupSize);
        std::vector<Exchanged> awaited;
        if (isMessage(call->kind)) {
            for (const RankMessage& message : messagesOf(node, *call)) addMessage(message, group, step.brings, awaited);
        } else {
            awaited.push_back({next(keyOf(group)), static_cast<std::size_t>(group.size())});
            step.brings = awaited;
        }
        if (waitsFor(node).empty() && node.op().starts_with("_dtensor.")) step.needs = awaited;
        else awaited_[&node] = std::move(awaited);
    }

    void addMessage(const RankMessage& message, const RankGroup& group, std::vector<Exchanged>& brings,
                    std::vector<Exchanged>& awaited) {
        const auto peer = static_cast<std::size_t>(message.peer);
        const std::string key = message.sends ? messageKey(group, group.index, peer, message.tag)
                                              : messageKey(group, peer, group.index, message.tag);
        (message.sends ? brings : awaited).push_back({next(key), 1});
    }

    /// "KEY\n2"
    std::string next(const std::string& key) { return key + "\n" + std::to_string(counts_[key]++); }

    RankGroups groups_;
    std::map<std::pair<GraphKind, NodeId>, const Node*> nodes_;
    std::map<std::string, std::size_t> counts_;
    std::unordered_map<const Node*, std::vector<Exchanged>> awaited_;
    std::vector<ExchangingStep> steps_;
};

/// Advances each rank as long as its dependencies are met.
class AlignedRanks {
public:
    explicit AlignedRanks(std::vector<std::vector<ExchangingStep>> steps)
        : steps_(std::move(steps)), next_(steps_.size()), ranks_(steps_.size()) {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t rank = 0; rank < steps_.size(); ++rank)
                for (; next_[rank] < steps_[rank].size() && isThere(steps_[rank][next_[rank]]); ++next_[rank])
                    advance(ranks_[rank], steps_[rank][next_[rank]]), moved = true;
        }
    }

    std::vector<RankTimeline> take() { return std::move(ranks_); }

private:
    struct Arrival {
        std::size_t ranks = 0;
        double last = 0;
    };

    bool isThere(const ExchangingStep& step) const {
        return std::ranges::all_of(step.needs, [&](const Exchanged& needed) {
            const auto found = arrivals_.find(needed.key);
            return found != arrivals_.end() && found->second.ranks >= needed.ranks;
        });
    }

    void advance(RankTimeline& rank, const ExchangingStep& step) {
        using Lane = RankTimeline::Lane;
        double start = rank.total();
        for (const Exchanged& needed : step.needs) start = std::max(start, arrivals_.at(needed.key).last);
        const double waits = start - rank.total();
        const StepTime& of = *step.step;
        if (waits > 0) rank.spans.push_back({Lane::waits, of.op, of.name, of.graph, rank.total(), waits});
        rank.waiting += waits;
        const bool exchanges = communicates(of.op);
        rank.spans.push_back(
            {exchanges ? Lane::exchanges : Lane::computation, of.op, of.name, of.graph, start, step.ms});
        (exchanges ? rank.exchanging : rank.computing) += step.ms;
        for (const Exchanged& brought : step.brings) {
            Arrival& arrival = arrivals_[brought.key];
            ++arrival.ranks;
            arrival.last = std::max(arrival.last, rank.total());
        }
    }

    std::vector<std::vector<ExchangingStep>> steps_;
    std::vector<std::size_t> next_;  ///< by rank
    std::map<std::string, Arrival> arrivals_;
    std::vector<RankTimeline> ranks_;
};

}  // namespace

std::vector<RankTimeline> rankTimelines(const std::vector<TimedRank>& ranks) {
    std::vector<std::vector<ExchangingStep>> steps;
    for (const TimedRank& rank : ranks) steps.push_back(StepsOfRank(rank).take());
    return AlignedRanks(std::move(steps)).take();
}

RankTimeline timelineOfRun(const std::vector<StepMoment>& moments, const CompileRecord& record, std::int64_t origin) {
    using Lane = RankTimeline::Lane;
    const auto ms = [](std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; };
    RankTimeline rank;
    for (const StepMoment& moment : moments) {
        const Node& node = *record.graph(moment.graph)->findById(moment.node);
        const double start = ms(moment.begin - origin), waits = ms(moment.waited),
                     works = ms(moment.end - moment.begin - moment.waited);
        if (moment.waited > 0) rank.spans.push_back({Lane::waits, node.op(), node.name(), moment.graph, start, waits});
        const bool exchanges = communicates(node.op());
        rank.spans.push_back({exchanges ? Lane::exchanges : Lane::computation, node.op(), node.name(), moment.graph,
                              start + waits, works});
        (exchanges ? rank.exchanging : rank.computing) += works;
        rank.waiting += waits;
    }
    return rank;
}

Table rankTimelineTable(const std::vector<RankTimeline>& ranks) {
    constexpr TableUnit ms = TableUnit::milliseconds;
    Table table{"timelines",
                {{"rank", "rank", "its number"},
                 {"computing_ms", "computation", "in steps that exchange nothing", ms},
                 {"exchanging_ms", "exchanges", "in collectives and messages", ms},
                 {"waiting_ms", "waits for others", "until the last of the other ranks gets there", ms},
                 {"total_ms", "total", "all of these", ms},
                 {"clock_within_ms", "", "how far its clock may be off from that of rank 0", ms}}};
    for (const RankTimeline& rank : ranks)
        table.add(table.rows.size(), rank.computing, rank.exchanging, rank.waiting, rank.total(), rank.clockWithin);
    return table;
}

std::string rankTimelinesText(const std::vector<RankTimeline>& ranks) {
    const double within = std::ranges::max_element(ranks, {}, &RankTimeline::clockWithin)->clockWithin;
    return (within > 0 ? "measured in one run, on the clock of rank 0, with which those of the others agree within " +
                             formatDuration(within) + "\n"
                       : std::string("measured, on one clock, as if each rank had a machine of its own\n")) +
           tableText(rankTimelineTable(ranks));
}

RankTimeline rankTimelineFrom(const nlohmann::json& document) {
    RankTimeline rank;
    rank.computing = realOf(document, "computing_ms");
    rank.exchanging = realOf(document, "exchanging_ms");
    rank.waiting = realOf(document, "waiting_ms");
    rank.clockWithin = realOf(document, "clock_within_ms");
    return rank;
}

}  // namespace aotscope
