#include "load/exported_operators.h"

#include <string_view>

namespace aotscope {

namespace {

/// "torch.ops.aten.add.Tensor": namespace, name and, after the next dot, overload.
void judgeTarget(std::string_view target, OperatorJudge& judge) {
    if (!target.starts_with(exported::kOperators)) return;
    target.remove_prefix(exported::kOperators.size());
    const auto first = target.find('.');
    if (first == std::string_view::npos) return;  // a higher-order operator is none
    const auto last = target.find('.', first + 1);
    const std::string name =
        std::string(target.substr(0, first)) +
        "::" + std::string(target.substr(first + 1, last == std::string_view::npos ? last : last - first - 1));
    judge.call(name, last == std::string_view::npos ? std::string() : std::string(target.substr(last + 1)));
}

}  // namespace

void judgeNodes(const exported::Graph& graph, OperatorJudge& judge) {
    for (const exported::Node& node : graph.nodes) {
        judgeTarget(node.target, judge);
        for (const auto& input : node.inputs)
            if (const auto* region = std::get_if<std::shared_ptr<const exported::Graph>>(&input.value.value))
                judgeNodes(**region, judge);
    }
}

}  // namespace aotscope
