#include "load/exported/operators.h"

#include "load/exported/uses.h"

#include <string_view>

namespace aotscope {

namespace {

/// "torch.ops.aten.add.Tensor": namespace, name and, after the next dot, overload.
void judgeTarget(std::string_view target, OperatorJudge& judge) {
    if (!target.starts_with(exported::kOperators)) return;
    target.remove_prefix(exported::kOperators.size());
    const auto first = target.find('.');
    if (first == std::string_view::npos) return;  // a higher-order operator has no namespace
    const auto last = target.find('.', first + 1);
    const std::string name =
        std::string(target.substr(0, first)) +
        "::" + std::string(target.substr(first + 1, last == std::string_view::npos ? last : last - first - 1));
    judge.call(name, last == std::string_view::npos ? std::string() : std::string(target.substr(last + 1)));
}

}  // namespace

void judgeNodes(const exported::Graph& graph, OperatorJudge& judge) {
    exported::forEachGraph(graph, [&](const exported::Graph& one) {
        for (const exported::Node& node : one.nodes) judgeTarget(node.target, judge);
    });
}

}  // namespace aotscope
