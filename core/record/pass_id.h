#pragma once

#include <array>
#include <cstdint>
#include <optional>
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
/// As files, reports and the command line spell them.
inline constexpr std::array<std::string_view, 16> kPassNames = {"source",
                                                                "pre-grad",
                                                                "forward-traced",
                                                                "functional",
                                                                "arguments",
                                                                "inference",
                                                                "joint",
                                                                "decompose",
                                                                "dynamic-shapes",
                                                                "dead-code",
                                                                "common-subexpressions",
                                                                "partition",
                                                                "compile",
                                                                "post-grad",
                                                                "printed",
                                                                "collectives"};
std::string_view name(PassId pass);
std::optional<PassId> passFromName(std::string_view name);

}  // namespace aotscope
