#include "io/communication_text.h"

#include "ops/collectives.h"
#include "record/graph_times.h"

#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

using nlohmann::json;

enum Track : int { kComputing = 1, kCommunicating, kStandingStill };
enum Process : int { kSimulated = 1, kMeasured };

class StreamWriter {
public:
    explicit StreamWriter(const std::string& model) {
        call("process_name", 0, model + " (estimated)");
        call("thread_name", kComputing, "computation");
        call("thread_name", kCommunicating, "communication");
        call("thread_name", kStandingStill, "exposed");
    }

    /// One step after the other, as long as each took.
    void addMeasured(const TimingResult& timing, const std::string& model) {
        process_ = kMeasured;
        call("process_name", 0, model + " (measured)");
        call("thread_name", kComputing, "computation");
        call("thread_name", kCommunicating, "exchanges");
        const GraphTimes times(timing);
        double start = 0;
        for (const StepTime& step : timing.steps) {
            const double ms = times.stepUs(step) / 1000;
            slice(communicates(step.op) ? kCommunicating : kComputing, step.op, start, ms,
                  {{"node", step.name}, {"graph", step.graph}});
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

    json take() { return {{"traceEvents", std::move(events_)}, {"displayTimeUnit", "ms"}}; }

private:
    void call(const char* what, int track, const std::string& text) {
        events_.push_back({{"ph", "M"}, {"name", what}, {"pid", process_}, {"tid", track}, {"args", {{"name", text}}}});
    }
    void slice(Track track, const std::string& what, double startMs, double ms, json arguments) {
        events_.push_back({{"ph", "X"},
                           {"name", what},
                           {"pid", process_},
                           {"tid", static_cast<int>(track)},
                           {"ts", ((process_ == kMeasured ? 0 : start_) + startMs) * 1000},
                           {"dur", ms * 1000},
                           {"args", std::move(arguments)}});
    }

    json events_ = json::array();
    int process_ = kSimulated;
    double start_ = 0;  ///< of the graph, in milliseconds
};

}  // namespace

json communicationTrace(const std::vector<GraphCommunication>& graphs, const std::string& model,
                        const TimingResult* timing) {
    StreamWriter writer(model);
    for (const GraphCommunication& graph : graphs) writer.add(graph);
    if (timing) writer.addMeasured(*timing, model);
    return writer.take();
}

}  // namespace aotscope
