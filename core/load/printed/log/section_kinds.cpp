#include "load/printed/log/section_kinds.h"

#include "load/printed/log/pass_name.h"

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

struct NamedKind {
    std::string_view name;
    PrintedKind kind;
};

}  // namespace

PrintedKind kindOfHeading(std::string_view heading) {
    constexpr std::array kinds = {
        NamedKind{"Joint graph", PrintedKind::joint},        NamedKind{"Forward graph", PrintedKind::forward},
        NamedKind{"Backward graph", PrintedKind::backward},  NamedKind{"__compiled_fn", PrintedKind::source},
        NamedKind{"AFTER POST GRAD", PrintedKind::postGrad}, NamedKind{"BEFORE PRE GRAD", PrintedKind::preGrad},
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

PrintedKind kindOfRecord(std::string_view record) {
    constexpr std::array kinds = {
        NamedKind{"dynamo_output_graph", PrintedKind::source},
        NamedKind{"inductor_pre_grad_graph", PrintedKind::preGrad},
        NamedKind{"before_pre_grad_graph", PrintedKind::preGrad},
        NamedKind{"aot_joint_graph", PrintedKind::joint},
        NamedKind{"aot_forward_graph", PrintedKind::forward},
        NamedKind{"aot_backward_graph", PrintedKind::backward},
        NamedKind{"aot_inference_graph", PrintedKind::inference},
        NamedKind{"inductor_post_grad_graph", PrintedKind::postGrad},
        NamedKind{"after_pre_grad_graph", PrintedKind::pass},
        NamedKind{"before_joint_graph", PrintedKind::pass},
        NamedKind{"after_joint_graph", PrintedKind::pass},
        NamedKind{"before_post_grad_graph", PrintedKind::pass},
        NamedKind{"aot_forward_graph_fw_metadata", PrintedKind::metadata},
    };
    for (const auto& [name, kind] : kinds)
        if (name == record) return kind;
    const bool pass = record == "make_fx_graph_traced" || readPassName(record).when != PassName::When::alone;
    return pass ? PrintedKind::pass : PrintedKind::unknown;
}

}  // namespace aotscope
