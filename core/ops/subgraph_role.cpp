#include "ops/subgraph_role.h"

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

/// Sources: the functions in torch/_higher_order_ops.
struct OperatorRoles {
    std::string_view op;
    std::array<std::string_view, 3> roles;
};

constexpr std::array kOperatorRoles = {
    OperatorRoles{"higher_order.cond", {"true_fn", "false_fn"}},
    OperatorRoles{"higher_order.while_loop", {"cond_fn", "body_fn"}},
    OperatorRoles{"higher_order.while_loop_stack_output", {"cond_fn", "body_fn"}},
    OperatorRoles{"higher_order.scan", {"combine_fn"}},
    OperatorRoles{"higher_order.associative_scan", {"combine_fn"}},
    OperatorRoles{"higher_order.map_impl", {"f"}},
    OperatorRoles{"higher_order.map", {"f"}},
    OperatorRoles{"higher_order.invoke_subgraph", {"subgraph"}},
    OperatorRoles{"higher_order.flex_attention", {"score_mod", "mask_mod"}},
    OperatorRoles{"higher_order.flex_attention_backward", {"fw_graph", "joint_graph", "mask_mod"}},
};

}  // namespace

std::string_view subgraphRole(std::string_view op, std::size_t number) {
    const auto* known = std::ranges::find(kOperatorRoles, op, &OperatorRoles::op);
    return known == kOperatorRoles.end() || number >= known->roles.size() ? std::string_view() : known->roles[number];
}

std::string subgraphTitle(const SubgraphRun& run) {
    const std::string_view role = subgraphRole(run.owner->op(), run.number);
    return role.empty() ? run.graph->name() : std::string(role) + ": " + run.graph->name();
}

}  // namespace aotscope
