#include "partition/order/order_problem.h"

#include <algorithm>
#include <numeric>

namespace aotscope {

OperationOrder graphOrder(const OrderProblem& problem) {
    OperationOrder order(problem.operations.size());
    std::iota(order.begin(), order.end(), 0);
    return order;
}

bool keepsDependencies(const OrderProblem& problem, const OperationOrder& order) {
    std::vector<bool> done(problem.operations.size());
    for (const int i : order) {
        const auto& after = problem.operations[static_cast<std::size_t>(i)].after;
        if (done[static_cast<std::size_t>(i)]) return false;
        if (!std::ranges::all_of(after, [&](int other) { return done[static_cast<std::size_t>(other)]; })) return false;
        done[static_cast<std::size_t>(i)] = true;
    }
    return order.size() == problem.operations.size();
}

std::size_t movedOperations(const OperationOrder& order) {
    std::vector<int> ends;  // of the ascending subsequences of each length: the least last element
    for (const int i : order) {
        const auto at = std::ranges::lower_bound(ends, i);
        if (at == ends.end()) ends.push_back(i);
        else *at = i;
    }
    return order.size() - ends.size();
}

}  // namespace aotscope
