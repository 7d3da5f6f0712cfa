#include "execute/in_place.h"

#include "ops/op_table.h"
#include "ops/operator_facts.h"

namespace aotscope {

std::string inPlaceVariant(const Node& node) {
    const std::string_view op = node.op();
    if (node.kind() != NodeKind::call || !op.starts_with("aten.") || opFamily(op) != OpFamily::pointwise) return {};
    if (node.args().empty() || !node.args()[0].node()) return {};
    const auto* result = node.type.tensor();
    const auto* input = node.args()[0].node()->type.tensor();
    if (!result || !input || result->dtype != input->dtype || !result->sameLayout(*input)) return {};
    const std::string_view packet = packetOf(op);
    std::string variant = std::string(packet) + "_" + std::string(op.substr(packet.size()));
    return operatorFacts(variant) ? variant : std::string();
}

}  // namespace aotscope
