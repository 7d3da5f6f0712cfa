#include "ops/subgraph_role.h"

#include <algorithm>
#include <array>
#include <utility>

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

void addOperands(const Argument::List& list, std::vector<const Node*>& operands) {
    for (const Argument& element : list) {
        if (const auto* nested = element.list()) addOperands(*nested, operands);
        else operands.push_back(element.node());
    }
}

/// The role of subgraph `number` of an operator, by Python's name for the argument: "true_fn" for the first one of
/// "higher_order.cond"; empty if unknown.
std::string_view subgraphRole(std::string_view op, std::size_t number) {
    const auto* known = std::ranges::find(kOperatorRoles, op, &OperatorRoles::op);
    return known == kOperatorRoles.end() || number >= known->roles.size() ? std::string_view() : known->roles[number];
}

}  // namespace

std::vector<const Node*> subgraphOperands(const SubgraphRun& run) {
    std::vector<const Node*> operands;
    bool first = run.owner->isCall("higher_order.associative_scan");  // combines two elements of its first list
    const auto& args = run.owner->args();
    const auto last = std::find_if(args.rbegin(), args.rend(), [](const Argument& a) { return a.subgraph(); });
    for (auto argument = last.base(); argument != args.end(); ++argument) {
        if (const auto* list = argument->list()) {
            if (std::exchange(first, false)) addOperands(*list, operands);
            addOperands(*list, operands);
        } else if (argument->node()) {
            operands.push_back(argument->node());
        }
    }
    if (operands.size() != run.graph->placeholders().size()) operands.clear();
    return operands;
}

std::string subgraphTitle(const SubgraphRun& run) {
    const std::string_view role = subgraphRole(run.owner->op(), run.number);
    return role.empty() ? run.graph->name() : std::string(role) + ": " + run.graph->name();
}

}  // namespace aotscope
