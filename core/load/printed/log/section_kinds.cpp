#include "load/printed/log/section_kinds.h"

#include "load/printed/log/pass_name.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace aotscope {

namespace {

struct RecordName {
    std::string_view name;
    LogTopic topic;
    PrintedKind kind = PrintedKind::unknown;
};

/// Names of records and artifacts. Families are recognized by a part of the name.
constexpr RecordName kRecords[] = {
    {"dynamo_output_graph", LogTopic::graphs, PrintedKind::source},
    {"inductor_pre_grad_graph", LogTopic::graphs, PrintedKind::preGrad},
    {"before_pre_grad_graph", LogTopic::graphs, PrintedKind::preGrad},
    {"aot_joint_graph", LogTopic::graphs, PrintedKind::joint},
    {"aot_forward_graph", LogTopic::graphs, PrintedKind::forward},
    {"aot_backward_graph", LogTopic::graphs, PrintedKind::backward},
    {"aot_inference_graph", LogTopic::graphs, PrintedKind::inference},
    {"inductor_post_grad_graph", LogTopic::graphs, PrintedKind::postGrad},
    {"after_pre_grad_graph", LogTopic::graphs, PrintedKind::pass},
    {"before_joint_graph", LogTopic::graphs, PrintedKind::pass},
    {"after_joint_graph", LogTopic::graphs, PrintedKind::pass},
    {"before_post_grad_graph", LogTopic::graphs, PrintedKind::pass},
    {"make_fx_graph_traced", LogTopic::graphs, PrintedKind::pass},
    {"graph_dump", LogTopic::graphs},
    {"exported_program", LogTopic::graphs},
    {"fx_graph_runnable", LogTopic::code},
    {"recompile_reasons", LogTopic::recompilations},
    {"compiled_autograd_compile_reasons", LogTopic::recompilations},
    {"dynamo_graph_break_reason", LogTopic::graphBreaks},
    {"dynamo_cpp_guards_str", LogTopic::guards},
    {"dynamo_guards", LogTopic::guards},
    {"create_symbol", LogTopic::shapes},
    {"create_unbacked_symbol", LogTopic::shapes},
    {"guard_added", LogTopic::shapes},
    {"guard_added_fast", LogTopic::shapes},
    {"symbolic_shape_specialization", LogTopic::shapes},
    {"propagate_real_tensors", LogTopic::shapes},
    {"propagate_real_tensors_provenance", LogTopic::shapes},
    {"expression_created", LogTopic::shapes},
    {"guard_on_data_dependent_error", LogTopic::failures},
    {"dynamo_error", LogTopic::failures},
    {"eager_compile_backwards_failure", LogTopic::failures},
    {"fx_interpreter_error", LogTopic::failures},
    {"make_fx_fail_partial", LogTopic::failures},
    {"missing_fake_kernel", LogTopic::failures},
    {"mismatched_fake_kernel", LogTopic::failures},
    {"dynamo_cache_exception", LogTopic::failures},
    {"dynamo_cache_bypass", LogTopic::caches},
    {"dynamo_cache_entries", LogTopic::caches},
    {"min_cut_information", LogTopic::partitioner},
    {"min_cut_failed_edge_list", LogTopic::partitioner},
    {"min_cut_failed_svg", LogTopic::partitioner},
    {"aot_forward_graph_fw_metadata", LogTopic::metadata, PrintedKind::metadata},
    {"aot_forward_graph_fw_subclass_metadata", LogTopic::metadata},
    {"inductor_runtime_and_tensor_meta", LogTopic::metadata},
    {"inductor_output_code", LogTopic::code},
    {"inductor_aot_kernel_code", LogTopic::code},
    {"inductor_aot_wrapper_code", LogTopic::code},
    {"inductor_aot_header_code", LogTopic::code},
    {"runtime_wrapper_orchestration", LogTopic::code},
    {"compiled_function_forward", LogTopic::code},
    {"compiled_function_backward", LogTopic::code},
    {"compiled_fn_wrapper", LogTopic::code},
    {"aot_autograd_runtime_wrappers", LogTopic::code},
    {"backward_prologue", LogTopic::code},
    {"backward_epilogue", LogTopic::code},
    {"inductor_provenance_tracking_node_mappings", LogTopic::code},
    {"inductor_provenance_tracking_kernel_stack_traces", LogTopic::code},
    {"triton_kernel_info", LogTopic::code},
    {"inductor_collective_schedule", LogTopic::collectives},
    {"compiler_collective", LogTopic::collectives},
    {"chromium_event", LogTopic::times},
    {"compilation_metrics", LogTopic::metrics},
    {"bwd_compilation_metrics", LogTopic::metrics},
    {"aot_autograd_backward_compilation_metrics", LogTopic::metrics},
    {"describe_storage", LogTopic::inputs},
    {"describe_tensor", LogTopic::inputs},
    {"describe_source", LogTopic::inputs},
    {"str", LogTopic::settings},
    {"dynamo_start", LogTopic::settings},
    {"torch_version", LogTopic::settings},
    {"torch._functorch.config", LogTopic::settings},
};

const RecordName* recordNamed(std::string_view name) {
    const auto* found = std::ranges::find(kRecords, name, &RecordName::name);
    return found == std::end(kRecords) ? nullptr : found;
}

bool isCache(std::string_view name) {
    return name.find("_cache_") != std::string_view::npos && (name.ends_with("_hit") || name.ends_with("_miss") ||
                                                              name.ends_with("_bypass") || name.ends_with("_failure"));
}

}  // namespace

PrintedKind kindOfHeading(std::string_view heading) {
    constexpr std::pair<std::string_view, PrintedKind> kinds[] = {
        {"Joint graph", PrintedKind::joint},        {"Forward graph", PrintedKind::forward},
        {"Backward graph", PrintedKind::backward},  {"__compiled_fn", PrintedKind::source},
        {"AFTER POST GRAD", PrintedKind::postGrad}, {"BEFORE PRE GRAD", PrintedKind::preGrad},
    };
    for (const auto& [name, kind] : kinds)
        if (heading.starts_with(name)) return kind;
    return PrintedKind::unknown;
}

bool isIntermediate(std::string_view heading) {
    constexpr std::array beginnings = {"pre insert_deferred_runtime_asserts", "pre split_module", "post split_module",
                                       "tensorify_python_scalars"};
    return heading.find("before unlifting tokens") != std::string_view::npos ||
           std::ranges::any_of(beginnings, [&](std::string_view begin) { return heading.starts_with(begin); });
}

PrintedKind kindOfRecord(std::string_view name) {
    if (const RecordName* known = recordNamed(name); known && known->kind != PrintedKind::unknown) return known->kind;
    return readPassName(name).when != PassName::When::alone ? PrintedKind::pass : PrintedKind::unknown;
}

LogTopic topicOf(std::string_view name) {
    if (const RecordName* known = recordNamed(name)) return known->topic;
    if (name.ends_with("_BYTECODE")) return LogTopic::code;
    if (isCache(name)) return LogTopic::caches;
    if (name.ends_with("_graph") || name.find("_graph_") != std::string_view::npos || name.ends_with("_post_grad") ||
        name.ends_with("_pre_grad"))
        return LogTopic::graphs;
    return LogTopic::other;
}

}  // namespace aotscope
