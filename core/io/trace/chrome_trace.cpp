#include "io/trace/chrome_trace.h"

#include "cost/live_memory.h"
#include "io/timing_text.h"
#include "ir/printer.h"
#include "record/results/module_times.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <optional>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr int kProcess = 1;

class TraceWriter {
public:
    TraceWriter(const TimingResult& timing, const CompileRecord& record)
        : timing_(timing), record_(record), modules_(stepModules(timing, record)), memory_(liveMemory(record)) {
        if (memory_)
            for (const MemoryPoint& point : memory_->curve)
                predicted_[{point.stage == Stage::backward, point.node}] = point.bytes;
    }

    json write() {
        call("process_name", 0, record_.model.name);
        for (std::size_t i = 0; i < timing_.steps.size(); ++i) {
            if (i == 0 || timing_.steps[i].graph != timing_.steps[i - 1].graph) startTrack(timing_.steps[i].graph);
            enter(modules_[i]);
            addStep(timing_.steps[i], modules_[i]);
        }
        leave(0);
        return {{"traceEvents", std::move(events_)},
                {"displayTimeUnit", "ms"},
                {"otherData",
                 {{"model", record_.model.name},
                  {"torch", record_.model.torchVersion},
                  {"times", "medians of " + runsText(timing_.iterations)}}}};
    }

private:
    /// Times are whole nanoseconds, so that consecutive slices do not overlap; the format uses microseconds.
    using Nanoseconds = std::int64_t;
    static double microseconds(Nanoseconds ns) { return static_cast<double>(ns) / 1000; }

    struct OpenModule {
        std::string path;
        std::size_t event;
        Nanoseconds start;
    };

    void call(const char* what, int track, const std::string& text) {
        events_.push_back({{"ph", "M"}, {"name", what}, {"pid", kProcess}, {"tid", track}, {"args", {{"name", text}}}});
    }

    void startTrack(GraphKind graph) {
        leave(0);
        ++track_;
        call("thread_name", track_, std::string(name(graph)));
        events_.push_back({{"ph", "M"},
                           {"name", "thread_sort_index"},
                           {"pid", kProcess},
                           {"tid", track_},
                           {"args", {{"sort_index", track_}}}});
    }

    /// Starts a slice and returns its index: an outer slice comes first, and its duration is known last.
    std::size_t addSlice(const std::string& what, const char* category, Nanoseconds duration, json args) {
        events_.push_back({{"ph", "X"},
                           {"name", what},
                           {"cat", category},
                           {"pid", kProcess},
                           {"tid", track_},
                           {"ts", microseconds(now_)},
                           {"dur", microseconds(duration)},
                           {"args", std::move(args)}});
        return events_.size() - 1;
    }

    /// Ends the modules that do not contain `module`, and starts those that do.
    void enter(const std::string& module) {
        const std::vector<std::string> paths = pathsTo(module);
        std::size_t common = 0;
        while (common < open_.size() && common < paths.size() && open_[common].path == paths[common]) ++common;
        leave(common);
        for (std::size_t i = common; i < paths.size(); ++i)
            open_.push_back({paths[i], addSlice(paths[i], "module", 0, json::object()), now_});
    }

    void leave(std::size_t depth) {
        for (; open_.size() > depth; open_.pop_back())
            events_[open_.back().event]["dur"] = microseconds(now_ - open_.back().start);
    }

    void addStep(const StepTime& step, const std::string& module) {
        count("memory, measured", step.liveBytes);
        if (const auto known = predicted_.find({step.graph == GraphKind::backward, step.node});
            known != predicted_.end())
            count("memory, predicted", known->second);
        const auto duration = static_cast<Nanoseconds>(std::llround(step.medianUs * 1000));
        addSlice(step.op, "operation", duration, arguments(step, module));
        now_ += duration;
    }

    json arguments(const StepTime& step, const std::string& module) const {
        json args = {{"node", step.name},
                     {"module", module},
                     {"bytes", step.bytes},
                     {"live_bytes", step.liveBytes},
                     {"quartiles_us", {step.lowerUs, step.upperUs}}};
        const auto graph = record_.graph(step.graph);
        const Node* node = graph ? graph->findById(step.node) : nullptr;
        if (!node) return args;
        if (node->type.known()) args["result"] = printType(node->type);
        json& inputs = args["inputs"] = json::array();
        for (const Node* input : node->inputs())
            if (input->type.known()) inputs.push_back("%" + input->name() + " : " + printType(input->type));
        return args;
    }

    void count(const char* what, std::int64_t bytes) {
        events_.push_back(
            {{"ph", "C"}, {"name", what}, {"pid", kProcess}, {"ts", microseconds(now_)}, {"args", {{"bytes", bytes}}}});
    }

    const TimingResult& timing_;
    const CompileRecord& record_;
    std::vector<std::string> modules_;
    std::optional<LiveMemory> memory_;
    std::map<std::pair<bool, NodeId>, std::int64_t> predicted_;  ///< by backward and node
    json events_ = json::array();
    std::vector<OpenModule> open_;
    int track_ = 0;
    Nanoseconds now_ = 0;
};

}  // namespace

json chromeTrace(const TimingResult& timing, const CompileRecord& record) {
    return TraceWriter(timing, record).write();
}

}  // namespace aotscope
