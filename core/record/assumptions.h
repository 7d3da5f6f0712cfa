#pragma once

#include "record/compile_record.h"

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// What a compilation takes for granted about its caller, beside the guards on data and on dynamic sizes: what every
/// call is compared with (CompiledFunction::failedGuard). Where it does not hold, the program is compiled again.
struct Assumption {
    enum class Kind : std::uint8_t { tensor, gradient, number, aliasing, mode } kind = Kind::tensor;
    std::string text;    ///< "x is f32[8, 3] on cpu"
    std::string reason;  ///< why the graphs depend on it
};
std::string_view name(Assumption::Kind kind);

/// Of `record`'s compilation: tensors and numbers in the order of the inputs, then aliasing, then the caller's modes.
/// Empty without metadata.
std::vector<Assumption> assumptionsOf(const CompileRecord& record);

}  // namespace aotscope
