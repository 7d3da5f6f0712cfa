#pragma once

#include "ops/operator_policy.h"
#include "support/budget.h"
#include "support/confinement.h"

#include <ATen/ThreadLocalState.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <utility>

namespace aotscope {

/// Runs `job` on a confined thread that inherits the state of this one, within `budget`.
template <typename Job>
auto confinedJob(const Budget& budget, Job&& job) {
    const at::ThreadLocalState caller;
    const bool optimize = torch::jit::getGraphExecutorOptimize();
    return confined([&] {
        const at::ThreadLocalStateGuard state(caller);
        const torch::jit::GraphOptimizerEnabledGuard asWritten(optimize);
        const BudgetScope scope(&budget);
        return job();
    });
}

/// The same for a job that executes code from a model, unless the user allows more.
template <typename Job>
auto foreignJob(const Budget& budget, const OperatorKinds& allow, Job&& job) {
    if (!mayDoAll(allow)) return confinedJob(budget, std::forward<Job>(job));
    const BudgetScope scope(&budget);
    return job();
}

}  // namespace aotscope
