#pragma once

#include "support/enumerators.h"

#include <cstdint>
#include <string_view>

namespace aotscope {

/// The passes that can produce graphs in a record: those of the pipeline, and those that Python ran and printed.
enum class PassId : std::uint8_t {
    source,
    preGrad,               ///< printed only
    preFunctionalization,  ///< "forward-traced"
    functional,
    syntheticBases,  ///< "arguments": removes duplicates, and replaces inputs that share memory by a base
    inference,
    joint,
    decompose,  ///< of a printed joint graph; the pipeline decomposes during tracing
    dynamicShapes,
    deadCode,
    commonSubexpressions,
    partition,
    compile,
    postGrad,     ///< printed only
    printed,      ///< in a sequence printed by others: its record has the name
    collectives,  ///< after the partition
    dropCopies,   ///< on request, before the partition
    order,        ///< on request, after the partition
};
/// The spelling in files, reports and on the command line: "pre-grad".
constexpr std::string_view name(PassId pass) {
    return pass == PassId::preFunctionalization ? "forward-traced"
           : pass == PassId::syntheticBases     ? "arguments"
                                                : spelled<'-'>(pass);
}

}  // namespace aotscope
