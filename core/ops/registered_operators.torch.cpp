#include "ops/registered_operators.h"

#include "aten/find_operator.h"
#include "ir/node_attributes.h"
#include "ops/operator_facts.h"

#include <algorithm>

namespace aotscope {

std::optional<std::string> registeredRow(std::string_view op) {
    const auto known = findOperator(std::string(op));
    if (!known) return std::nullopt;
    const c10::FunctionSchema& schema = known->schema();
    OperatorFacts facts{.row = {}, .op = op, .parameters = {}};
    const auto writes = [](const c10::Argument& a) { return a.alias_info() && a.alias_info()->isWrite(); };
    for (const c10::Argument& a : schema.arguments()) facts.parameters.push_back({a.name(), writes(a)});
    facts.views = std::ranges::any_of(schema.returns(), [&](const auto& r) { return r.alias_info() && !writes(r); });
    facts.random = known->hasTag(at::Tag::nondeterministic_seeded);
    // The schemas of c10d do not say what they write.
    const bool silent = op.starts_with("c10d.") && packetOf(op).ends_with('_');
    if (silent && !facts.parameters.empty()) facts.parameters.front().written = true;
    return printedRow(facts);
}

}  // namespace aotscope
