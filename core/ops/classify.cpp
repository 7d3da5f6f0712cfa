#include "ops/classify.h"

#include "ops/op_table.h"

#include <algorithm>

namespace aotscope {

bool drawsRandomNumbers(const Node& node) {
    if (node.kind() != NodeKind::call) return false;
    if (hasTag(node, kRandom)) return true;
    // Attention draws numbers only with dropout: its first positive float argument.
    if (opFamily(node.op()) != OpFamily::attention || node.op().find("backward") != std::string::npos) return false;
    return std::any_of(node.args().begin(), node.args().end(), [](const Argument& a) {
        const auto* p = std::get_if<double>(&a.value);
        return p && *p > 0;
    });
}

bool hasEffect(const Node& node) {
    return node.kind() == NodeKind::call && (isMutating(node.op()) || shortOpName(node.op()).starts_with("_assert"));
}

}  // namespace aotscope
