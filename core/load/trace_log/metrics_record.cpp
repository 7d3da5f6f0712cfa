#include "load/trace_log/metrics_record.h"

#include "load/trace_log/stack_json.h"

#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

using nlohmann::json;

std::optional<std::int64_t> countIn(const json& data, const char* key) {
    const auto it = data.find(key);
    if (it == data.end() || !it->is_number_integer()) return std::nullopt;
    return it->get<std::int64_t>();
}

/// Settings are as long as everything else together, and have their own records.
bool isSetting(const std::string& key) { return key.ends_with("_config") || key.starts_with("config_"); }

bool saysNothing(const json& value) {
    return value.is_null() || value.is_object() || (value.is_array() && value.empty()) ||
           (value.is_string() && value.get_ref<const std::string&>().empty()) || value == json(0) || value == json(0.0);
}

void readFailure(const json& data, CompileStory& story) {
    const auto type = textIn(data, "fail_type"), reason = textIn(data, "fail_reason");
    if (type.empty() && reason.empty()) return;
    story.failure = type + (type.empty() || reason.empty() ? "" : ": ") + reason.substr(0, reason.find('\n'));
    story.failurePlace.file = textIn(data, "fail_user_frame_filename");
    story.failurePlace.line = countIn(data, "fail_user_frame_lineno").value_or(0);
}

}  // namespace

void readMetrics(const json& data, bool backward, CompileStory& story, std::vector<std::string>& restarts) {
    if (!data.is_object()) return;
    const std::string prefix = backward ? "backward " : "";
    for (const auto& [key, value] : data.items())
        if (!isSetting(key) && !saysNothing(value) && key != "stack_trace" && key != "compile_id")
            story.metrics.emplace_back(prefix + key, textIn(data, key.c_str()));
    const double forward = numberIn(data, "entire_frame_compile_time_s");
    const double duration = numberIn(data, "duration_us") / 1e6;
    story.seconds += forward > 0 ? forward : duration;
    if (backward) return;
    story.guardCount = countIn(data, "guard_count");
    story.operatorCount = countIn(data, "graph_op_count");
    story.nodeCount = countIn(data, "graph_node_count");
    story.inputCount = countIn(data, "graph_input_count");
    readFailure(data, story);
    restarts = textsIn(data, "restart_reasons");
    story.countsBreaks = data.contains("num_graph_breaks");
}

}  // namespace aotscope
