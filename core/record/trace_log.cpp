#include "record/trace_log.h"

#include "support/enumerators.h"

#include <algorithm>
#include <array>
#include <map>

namespace aotscope {

namespace {

struct NamedTopic {
    std::string_view name;
    LogTopic topic;
};

/// Names of records and artifacts. Families are recognized by a part of the name.
constexpr std::array kTopics = {
    NamedTopic{"dynamo_output_graph", LogTopic::graphs},
    NamedTopic{"graph_dump", LogTopic::graphs},
    NamedTopic{"exported_program", LogTopic::graphs},
    NamedTopic{"fx_graph_runnable", LogTopic::code},
    NamedTopic{"recompile_reasons", LogTopic::recompilations},
    NamedTopic{"compiled_autograd_compile_reasons", LogTopic::recompilations},
    NamedTopic{"dynamo_graph_break_reason", LogTopic::graphBreaks},
    NamedTopic{"dynamo_cpp_guards_str", LogTopic::guards},
    NamedTopic{"dynamo_guards", LogTopic::guards},
    NamedTopic{"create_symbol", LogTopic::shapes},
    NamedTopic{"create_unbacked_symbol", LogTopic::shapes},
    NamedTopic{"guard_added", LogTopic::shapes},
    NamedTopic{"guard_added_fast", LogTopic::shapes},
    NamedTopic{"symbolic_shape_specialization", LogTopic::shapes},
    NamedTopic{"propagate_real_tensors", LogTopic::shapes},
    NamedTopic{"propagate_real_tensors_provenance", LogTopic::shapes},
    NamedTopic{"expression_created", LogTopic::shapes},
    NamedTopic{"guard_on_data_dependent_error", LogTopic::failures},
    NamedTopic{"dynamo_error", LogTopic::failures},
    NamedTopic{"eager_compile_backwards_failure", LogTopic::failures},
    NamedTopic{"fx_interpreter_error", LogTopic::failures},
    NamedTopic{"make_fx_fail_partial", LogTopic::failures},
    NamedTopic{"missing_fake_kernel", LogTopic::failures},
    NamedTopic{"mismatched_fake_kernel", LogTopic::failures},
    NamedTopic{"dynamo_cache_exception", LogTopic::failures},
    NamedTopic{"dynamo_cache_bypass", LogTopic::caches},
    NamedTopic{"dynamo_cache_entries", LogTopic::caches},
    NamedTopic{"min_cut_information", LogTopic::partitioner},
    NamedTopic{"min_cut_failed_edge_list", LogTopic::partitioner},
    NamedTopic{"min_cut_failed_svg", LogTopic::partitioner},
    NamedTopic{"aot_forward_graph_fw_metadata", LogTopic::metadata},
    NamedTopic{"aot_forward_graph_fw_subclass_metadata", LogTopic::metadata},
    NamedTopic{"inductor_runtime_and_tensor_meta", LogTopic::metadata},
    NamedTopic{"inductor_output_code", LogTopic::code},
    NamedTopic{"inductor_aot_kernel_code", LogTopic::code},
    NamedTopic{"inductor_aot_wrapper_code", LogTopic::code},
    NamedTopic{"inductor_aot_header_code", LogTopic::code},
    NamedTopic{"runtime_wrapper_orchestration", LogTopic::code},
    NamedTopic{"compiled_function_forward", LogTopic::code},
    NamedTopic{"compiled_function_backward", LogTopic::code},
    NamedTopic{"compiled_fn_wrapper", LogTopic::code},
    NamedTopic{"aot_autograd_runtime_wrappers", LogTopic::code},
    NamedTopic{"backward_prologue", LogTopic::code},
    NamedTopic{"backward_epilogue", LogTopic::code},
    NamedTopic{"inductor_provenance_tracking_node_mappings", LogTopic::code},
    NamedTopic{"inductor_provenance_tracking_kernel_stack_traces", LogTopic::code},
    NamedTopic{"triton_kernel_info", LogTopic::code},
    NamedTopic{"inductor_collective_schedule", LogTopic::collectives},
    NamedTopic{"compiler_collective", LogTopic::collectives},
    NamedTopic{"chromium_event", LogTopic::times},
    NamedTopic{"compilation_metrics", LogTopic::metrics},
    NamedTopic{"bwd_compilation_metrics", LogTopic::metrics},
    NamedTopic{"aot_autograd_backward_compilation_metrics", LogTopic::metrics},
    NamedTopic{"describe_storage", LogTopic::inputs},
    NamedTopic{"describe_tensor", LogTopic::inputs},
    NamedTopic{"describe_source", LogTopic::inputs},
    NamedTopic{"str", LogTopic::settings},
    NamedTopic{"dynamo_start", LogTopic::settings},
    NamedTopic{"torch_version", LogTopic::settings},
    NamedTopic{"torch._functorch.config", LogTopic::settings},
};

bool isCache(std::string_view name) {
    return name.find("_cache_") != std::string_view::npos && (name.ends_with("_hit") || name.ends_with("_miss") ||
                                                              name.ends_with("_bypass") || name.ends_with("_failure"));
}

/// "torch_dynamo_resume_in_forward_at_15": the function and line of the graph break; empty for other functions.
std::pair<std::string_view, std::string_view> resumedFrom(std::string_view function) {
    constexpr std::string_view words = "torch_dynamo_resume_in_";
    const auto at = function.rfind("_at_");
    if (!function.starts_with(words) || at == std::string_view::npos || at <= words.size()) return {};
    return {function.substr(words.size(), at - words.size()), function.substr(at + 4)};
}

}  // namespace

std::string shortPlace(const CodePlace& place) {
    if (!place.known()) return place.function;
    std::string text = place.file.substr(place.file.find_last_of("/\\") + 1) + ":" + std::to_string(place.line);
    if (!place.function.empty()) text += " in " + place.function;
    return text;
}

LogTopic topicOf(std::string_view name) {
    const auto known = std::find_if(kTopics.begin(), kTopics.end(), [&](const auto& t) { return t.name == name; });
    if (known != kTopics.end()) return known->topic;
    if (name.ends_with("_BYTECODE")) return LogTopic::code;
    if (isCache(name)) return LogTopic::caches;
    if (name.ends_with("_graph") || name.find("_graph_") != std::string_view::npos || name.ends_with("_post_grad") ||
        name.ends_with("_pre_grad"))
        return LogTopic::graphs;
    return LogTopic::other;
}

std::string_view nameOf(LogTopic topic) { return topic == LogTopic::failures ? "errors" : spelled(topic); }

std::string TracedCompile::frame() const {
    const auto again = id.find('#');
    return id.substr(0, id.rfind('/')) + (again == std::string::npos ? "" : id.substr(again));
}

std::uint64_t TracedCompile::attempts() const {
    std::uint64_t most = 0;
    for (const LogRecord& record : records) most = std::max<std::uint64_t>(most, record.attempt);
    return most + 1;
}

const TracedCompile* TraceLog::find(std::string_view id) const {
    const auto it = std::find_if(compiles.begin(), compiles.end(), [&](const TracedCompile& c) { return c.id == id; });
    return it == compiles.end() ? nullptr : &*it;
}

const TracedCompile* TraceLog::before(const TracedCompile& compile, std::string_view id) const {
    for (auto at = static_cast<std::size_t>(&compile - compiles.data()); at-- > 0;) {
        const TracedCompile& each = compiles[at];
        if (each.session == compile.session && std::string_view(each.id).substr(0, each.id.find('#')) == id)
            return &each;
    }
    return nullptr;
}

std::vector<TracedFrame> framesOf(const TraceLog& log) {
    std::vector<TracedFrame> frames;
    std::map<std::pair<std::uint32_t, std::string>, std::size_t> known;
    for (std::size_t i = 0; i < log.compiles.size(); ++i) {
        const TracedCompile& compile = log.compiles[i];
        const auto number = compile.id.substr(0, compile.id.rfind('/'));
        const auto [it, added] = known.try_emplace({compile.session, number}, frames.size());
        if (added) frames.push_back({compile.frame(), compile.code, {}, {}, false});
        TracedFrame& frame = frames[it->second];
        frame.compiles.push_back(i);
        if (!frame.code.known()) frame.code = compile.code;
    }
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const auto [function, line] = resumedFrom(frames[i].code.function);
        if (function.empty()) continue;
        // The latest earlier function with that name in the same file; a resume function of a resume function has the
        // original function's name.
        for (std::size_t j = i; j-- > 0;) {
            const CodePlace& before = frames[j].code;
            if (frames[j].resumes || before.function != function || before.file != frames[i].code.file) continue;
            frames[i].resumes = true;
            frames[j].resumed.push_back(i);
            break;
        }
    }
    return frames;
}

}  // namespace aotscope
