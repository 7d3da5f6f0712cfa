#include "aten/find_operator.h"

#include "aten/convert.h"
#include "aten/functional_form.h"
#include "ir/node_attributes.h"

namespace aotscope {

std::optional<c10::OperatorHandle> findOperator(const std::string& graphName) {
    const bool hasOverload = packetOf(graphName).size() < graphName.size();
    if (!hasOverload && !graphName.starts_with("higher_order.")) return std::nullopt;
    const c10::OperatorName name = operatorName(graphName);
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    return op ? op : findFunctionalForm(name);
}

}  // namespace aotscope
