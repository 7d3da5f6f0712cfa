#pragma once

#include "ir/aspect.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <vector>

namespace aotscope {

/// A fact about two runs that is not the same: an option, a guard, what is known of an input, a decision.
struct FactChange {
    Aspect aspect = Aspect::metadata;
    std::string what;           ///< "option partitioning.memory_budget", "guard", "decision on %mul: reason"
    std::string before, after;  ///< empty: it is not there
};

struct FactDifference {
    std::vector<FactChange> changes;
    std::vector<std::string> notCompared;  ///< what only one side has as a whole
};

/// The name that a value of the joint graph of the run before has in the one after; empty: it is not there.
using NameAfter = std::function<std::string(const std::string& before)>;

/// Compares what `factsOf` gives, or a report has, of two runs, beside their graphs.
FactDifference compareFacts(const nlohmann::json& before, const nlohmann::json& after, AspectSet ignored,
                            const NameAfter& nameAfter);

}  // namespace aotscope
