#pragma once

#include "ir/aspect.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <vector>

namespace aotscope {

/// A fact that differs between two runs: an option, a guard, a property of an input, a decision.
struct FactChange {
    Aspect aspect = Aspect::metadata;
    std::string what;           ///< "option partitioning.memory_budget", "guard", "decision on %mul: reason"
    std::string before, after;  ///< empty: it does not exist
};

struct FactDifference {
    std::vector<FactChange> changes;
    std::vector<std::string> notCompared;  ///< sections that only one side has
};

/// Maps the name of a value in the joint graph before to its name after; empty: it does not exist.
using NameAfter = std::function<std::string(const std::string& before)>;

/// Compares the facts of two runs, from `factsOf` or a report, except their graphs.
FactDifference compareFacts(const nlohmann::json& before, const nlohmann::json& after, AspectSet ignored,
                            const NameAfter& nameAfter);

}  // namespace aotscope
