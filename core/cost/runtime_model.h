#pragma once

#include "cost/machine_model.h"
#include "ir/graph.h"
#include "record/options/compiler_choice.h"
#include "record/results/operator_costs.h"

#include <functional>
#include <memory>
#include <vector>

namespace aotscope {

/// What partitioners ask about operations and compilers, if they need it.
struct RuntimeModel {
    std::function<double(const Node&)> roofline, measured;  ///< run times in milliseconds
    /// What is known of the operations of a graph. Empty: nothing.
    std::function<std::shared_ptr<const OperatorCosts>(const Graph&)> known = {};
    /// Which will run the graphs; others are interpreted.
    std::vector<CompilerUse> compilers = {};

    /// Never null.
    std::shared_ptr<const OperatorCosts> costsOf(const Graph& graph) const {
        return known ? known(graph) : std::make_shared<const OperatorCosts>();
    }
};

/// Roofline estimates, except for what `costs` knows, for any thread. The machine's model is asked for once, at the
/// first estimate. `costs` may be null.
RuntimeModel rooflineTimes(MachineSource machine, std::shared_ptr<const OperatorCosts> costs = nullptr);

}  // namespace aotscope
