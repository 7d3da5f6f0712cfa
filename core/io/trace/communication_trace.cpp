#include "io/communication_text.h"

#include "ops/collectives.h"
#include "record/results/graph_times.h"
#include "support/formatted.h"

#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

using nlohmann::json;

enum Track : int { kComputing = 1, kCommunicating, kStandingStill };

class StreamWriter {
public:
    /// Starts a process at time 0, to which all later events belong. Processes are shown in order of `place`.
    void startProcess(const std::string& title, std::size_t place, const char* communication, const char* still) {
        process_ = place + 1;
        start_ = 0;
        call("process_name", 0, "name", title);
        call("process_sort_index", 0, "sort_index", place);
        call("thread_name", kComputing, "name", "computation");
        call("thread_name", kCommunicating, "name", communication);
        if (still) call("thread_name", kStandingStill, "name", still);
    }

    /// One step after the other, each with its duration.
    void add(const TimingResult& timing) {
        const GraphTimes times(timing);
        double start = 0;
        for (const StepTime& step : timing.steps) {
            const double ms = times.stepUs(step) / 1000;
            slice(communicates(step.op) ? kCommunicating : kComputing, step.op, start, ms,
                  {{"node", step.name}, {"graph", name(step.graph)}});
            start += ms;
        }
    }

    void add(const GraphCommunication& graph) {
        for (const ComputationTime& time : graph.computations)
            slice(kComputing, time.op, time.start, time.duration, {{"node", time.name}, {"graph", name(graph.graph)}});
        for (const CollectiveTime& time : graph.collectives) {
            const json arguments = {
                {"node", time.name},          {"graph", name(graph.graph)},   {"group", time.group.name},
                {"ranks", time.group.size()}, {"sent_bytes", time.sentBytes}, {"issue_ms", time.issue},
                {"wait_ms", time.wait},       {"waits", time.waits}};
            slice(kCommunicating, std::string(name(time.call.kind)), time.start, time.duration(), arguments);
            if (time.exposed() > 0) slice(kStandingStill, time.name, time.wait, time.exposed(), arguments);
        }
        start_ += graph.total;
    }

    void add(const RankTimeline& rank) {
        if (rank.clockWithin > 0)
            call("process_labels", 0, "labels", "clock within " + formatDuration(rank.clockWithin) + " of rank 0's");
        for (const RankTimeline::Span& span : rank.spans) {
            const Track track = span.lane == RankTimeline::Lane::computation ? kComputing
                                : span.lane == RankTimeline::Lane::exchanges ? kCommunicating
                                                                             : kStandingStill;
            slice(track, span.op, span.start, span.duration, {{"node", span.node}, {"graph", name(span.graph)}});
        }
    }

    json take() { return std::move(events_); }

private:
    void call(const char* what, int track, const char* key, const json& value) {
        events_.push_back({{"ph", "M"}, {"name", what}, {"pid", process_}, {"tid", track}, {"args", {{key, value}}}});
    }
    void slice(Track track, const std::string& what, double startMs, double ms, json arguments) {
        events_.push_back({{"ph", "X"},
                           {"name", what},
                           {"pid", process_},
                           {"tid", static_cast<int>(track)},
                           {"ts", (start_ + startMs) * 1000},
                           {"dur", ms * 1000},
                           {"args", std::move(arguments)}});
    }

    json events_ = json::array();
    std::size_t process_ = 0;
    double start_ = 0;  ///< of the graph, in milliseconds
};

json traceOf(json events) { return {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}}; }

}  // namespace

json communicationTrace(const std::vector<GraphCommunication>& graphs, const std::string& model,
                        const TimingResult* timing) {
    StreamWriter writer;
    writer.startProcess(model + " (estimated)", 0, "communication", "exposed");
    for (const GraphCommunication& graph : graphs) writer.add(graph);
    if (!timing) return traceOf(writer.take());
    writer.startProcess(model + " (measured)", 1, "exchanges", nullptr);
    writer.add(*timing);
    return traceOf(writer.take());
}

json rankTraceEvents(std::size_t rank, std::size_t count, const Communication& estimated,
                     const RankTimeline* measured) {
    const std::string title = "rank " + std::to_string(rank);
    StreamWriter own, simulated;
    if (measured) {
        own.startProcess(title + " (measured)", rank, "exchanges", "waits for other ranks");
        own.add(*measured);
    }
    simulated.startProcess(title + " (estimated)", measured ? count + rank : rank, "communication", "exposed");
    for (const GraphCommunication& graph : estimated.graphs) simulated.add(graph);
    return json::array({own.take(), simulated.take()});
}

json joinedTrace(const std::vector<json>& ranks) {
    json events = json::array();
    for (const std::size_t part : {0, 1})
        for (const json& rank : ranks)
            for (const json& event : rank.at(part)) events.push_back(event);
    return traceOf(std::move(events));
}

}  // namespace aotscope
