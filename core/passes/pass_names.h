#pragma once

#include "record/pass_id.h"

#include <array>
#include <string>
#include <vector>

namespace aotscope {

/// The passes of the pipeline, in order.
inline constexpr std::array kPipelinePasses = {
    PassId::preFunctionalization,
    PassId::functional,
    PassId::syntheticBases,
    PassId::inference,
    PassId::joint,
    PassId::dynamicShapes,
    PassId::deadCode,
    PassId::commonSubexpressions,
    PassId::dropCopies,
    PassId::partition,
    PassId::order,
    PassId::collectives,
    PassId::compile,
};

/// Their names.
std::vector<std::string> passNames();

}  // namespace aotscope
