#include "ops/operator_facts.h"

#include "aten/find_operator.h"

#include <algorithm>
#include <string>

namespace aotscope {

std::optional<OperatorFacts> registeredFacts(std::string_view op) {
    if (op.starts_with("operator.") || op.starts_with("c10d.")) return std::nullopt;
    if (std::count(op.begin(), op.end(), '.') < 2) return std::nullopt;  // an operator without its overload
    const auto known = findOperator(std::string(op));
    if (!known) return std::nullopt;
    OperatorFacts facts;
    facts.writes = known->schema().is_mutable();
    for (const c10::Argument& returned : known->schema().returns())
        facts.views = facts.views || (returned.alias_info() && !returned.alias_info()->isWrite());
    facts.random = known->hasTag(at::Tag::nondeterministic_seeded);
    return facts;
}

}  // namespace aotscope
