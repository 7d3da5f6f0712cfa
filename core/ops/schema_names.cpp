#include "ops/schema_names.h"

#include "trace/convert.h"

#include <ATen/core/dispatch/Dispatcher.h>

namespace aotscope {

std::vector<std::string> argumentNames(std::string_view op) {
    std::vector<std::string> names;
    // TorchScript's own operators are not the dispatcher's.
    if (op.find('.') == std::string_view::npos || op.starts_with("operator.")) return names;
    const auto handle = c10::Dispatcher::singleton().findSchema(operatorName(std::string(op)));
    if (!handle) return names;
    for (const auto& argument : handle->schema().arguments()) names.push_back(argument.name());
    return names;
}

}  // namespace aotscope
