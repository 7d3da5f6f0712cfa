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

const DebugBreakpoint* Conditions::test(const std::vector<QueryFacts>& nodes, bool values) {
    const DebugBreakpoint* found = nullptr;
    for (std::size_t i = 0; i < breakpoints_.size(); ++i) {
        const auto holds = [&](const QueryFacts& facts) { return queries_[i].matches(facts); };
        if (!breakpoints_[i].enabled || queries_[i].readsValues() != values || !std::ranges::any_of(nodes, holds))
            continue;
        if (++hits_[i] >= breakpoints_[i].hits && !found) found = &breakpoints_[i];
    }
    return found;
}

const DebugBreakpoint* Conditions::before(const std::vector<QueryFacts>& nodes) { return test(nodes, false); }

const DebugBreakpoint* Conditions::after(const QueryFacts& node) { return test({node}, true); }

}  // namespace aotscope
