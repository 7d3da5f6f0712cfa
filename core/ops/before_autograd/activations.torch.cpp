#include "ops/before_autograd/rules.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace aotscope {

/// Those that are also in the core-aten table.
std::vector<BeforeAutogradRow> activationsBeforeAutograd() {
    constexpr std::array<std::string_view, 2> shrinks = {"aten.hardshrink.default", "aten.softshrink.default"};
    std::vector<BeforeAutogradRow> rows;
    for (const DecompositionRow& row : activationDecompositions())
        if (std::find(shrinks.begin(), shrinks.end(), row.op) != shrinks.end())
            rows.push_back({row.op, row.rule, row.run});
    return rows;
}

}  // namespace aotscope
