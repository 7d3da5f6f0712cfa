#include "ops/schema_names.h"

#include "aten/convert.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>

namespace aotscope {

std::vector<std::string> argumentNames(std::string_view op) {
    std::vector<std::string> names;
    // TorchScript's own operators ("prim.device") and Python's are not in the dispatcher.
    if (std::count(op.begin(), op.end(), '.') < 2 || op.starts_with("operator.")) return names;
    const auto handle = c10::Dispatcher::singleton().findSchema(operatorName(std::string(op)));
    if (!handle) return names;
    for (const auto& argument : handle->schema().arguments()) names.push_back(argument.name());
    return names;
}

}  // namespace aotscope
