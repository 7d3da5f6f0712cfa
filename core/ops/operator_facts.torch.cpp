#include "ops/operator_facts.h"

#include "aten/find_operator.h"

#include <algorithm>
#include <string>

namespace aotscope {

namespace {

std::optional<c10::OperatorHandle> described(std::string_view op) {
    if (op.starts_with("operator.") || op.starts_with("c10d.")) return std::nullopt;
    if (std::count(op.begin(), op.end(), '.') < 2) return std::nullopt;  // an operator without an overload
    return findOperator(std::string(op));
}

}  // namespace

std::vector<ArgumentPlace> writtenArguments(std::string_view op) {
    const auto known = described(op);
    if (!known) return {{0, "out"}};
    std::vector<ArgumentPlace> written;
    const auto& arguments = known->schema().arguments();
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (arguments[i].alias_info() && arguments[i].alias_info()->isWrite())
            written.push_back({i, arguments[i].name()});
    return written;
}

std::optional<OperatorFacts> registeredFacts(std::string_view op) {
    const auto known = described(op);
    if (!known) return std::nullopt;
    OperatorFacts facts;
    facts.writes = known->schema().is_mutable();
    for (const c10::Argument& returned : known->schema().returns())
        facts.views = facts.views || (returned.alias_info() && !returned.alias_info()->isWrite());
    facts.random = known->hasTag(at::Tag::nondeterministic_seeded);
    return facts;
}

}  // namespace aotscope
