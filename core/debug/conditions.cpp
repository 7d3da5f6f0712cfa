#include "debug/conditions.h"

#include <algorithm>

namespace aotscope {

void Conditions::set(std::vector<DebugBreakpoint> breakpoints) {
    std::vector<Query> queries;
    for (const DebugBreakpoint& breakpoint : breakpoints) {
        if (breakpoint.hits < 1)
            throw Error("breakpoint '" + breakpoint.condition + "': expected a hit count of at least 1, found " +
                        std::to_string(breakpoint.hits));
        queries.push_back(Query::parseWithValues(breakpoint.condition));
    }
    std::vector<int> hits;
    for (const DebugBreakpoint& breakpoint : breakpoints) {
        const auto known = std::ranges::find(breakpoints_, breakpoint.condition, &DebugBreakpoint::condition);
        hits.push_back(known == breakpoints_.end() ? 0 : hits_[static_cast<std::size_t>(known - breakpoints_.begin())]);
    }
    breakpoints_ = std::move(breakpoints);
    queries_ = std::move(queries);
    hits_ = std::move(hits);
}

void Conditions::forgetHits() { hits_.assign(breakpoints_.size(), 0); }

bool Conditions::readValues() const { return std::ranges::any_of(queries_, &Query::readsValues); }

std::vector<std::string> Conditions::impossible(const std::vector<QueryFacts>& operations,
                                                const std::vector<QueryFacts>& values) const {
    std::vector<std::string> conditions;
    for (std::size_t i = 0; i < breakpoints_.size(); ++i) {
        const auto mayHold = [&](const QueryFacts& facts) { return queries_[i].mayMatch(facts); };
        if (breakpoints_[i].enabled && std::ranges::none_of(queries_[i].readsValues() ? values : operations, mayHold))
            conditions.push_back(breakpoints_[i].condition);
    }
    return conditions;
}

Conditions::Hit Conditions::test(const std::vector<QueryFacts>& nodes, bool values) {
    Hit found;
    for (std::size_t i = 0; i < breakpoints_.size(); ++i) {
        if (!breakpoints_[i].enabled || queries_[i].readsValues() != values) continue;
        const auto node = std::ranges::find_if(nodes, [&](const auto& facts) { return queries_[i].matches(facts); });
        if (node == nodes.end()) continue;
        if (++hits_[i] >= breakpoints_[i].hits && !found.breakpoint) found = {&breakpoints_[i], node->node};
    }
    return found;
}

Conditions::Hit Conditions::before(const std::vector<QueryFacts>& nodes) { return test(nodes, false); }

Conditions::Hit Conditions::after(const QueryFacts& node) { return test({node}, true); }

}  // namespace aotscope
