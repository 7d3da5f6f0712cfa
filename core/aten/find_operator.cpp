#include "aten/find_operator.h"

#include "aten/convert.h"
#include "ir/node_attributes.h"

namespace aotscope {

std::optional<c10::OperatorHandle> findOperator(const std::string& graphName) {
    const bool hasOverload = packetOf(graphName).size() < graphName.size();
    if (!hasOverload && !graphName.starts_with("higher_order.")) return std::nullopt;
    return c10::Dispatcher::singleton().findSchema(operatorName(graphName));
}

}  // namespace aotscope
