#pragma once

#include "support/enumerators.h"

#include <cstdint>
#include <string_view>

namespace aotscope {

/// The passes that can leave graphs in a record: those of the pipeline, and those that Python ran and printed.
enum class PassId : std::uint8_t {
    source,
    preGrad,               ///< printed only
    preFunctionalization,  ///< "forward-traced"
    functional,
    syntheticBases,  ///< "arguments": duplicates once, and one base for inputs that share memory
    inference,
    joint,
    decompose,  ///< of a printed joint graph; the pipeline decomposes while it traces
    dynamicShapes,
    deadCode,
    commonSubexpressions,
    partition,
    compile,
    postGrad,     ///< printed only
    printed,      ///< of a sequence that others have printed: its record has the name
    collectives,  ///< after the partition
};
/// As files, reports and the command line spell it: "pre-grad".
constexpr std::string_view name(PassId pass) {
    return pass == PassId::preFunctionalization ? "forward-traced"
           : pass == PassId::syntheticBases     ? "arguments"
                                                : spelled<'-'>(pass);
}

}  // namespace aotscope
