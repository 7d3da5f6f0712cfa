#pragma once

#include "record/compile_record.h"

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// An assumption of a compilation about its caller, besides the guards on data and on dynamic sizes. Every call is
/// checked against them (CompiledFunction::failedGuard); if one does not hold, the program is recompiled.
struct Assumption {
    enum class Kind : std::uint8_t { tensor, gradient, number, aliasing, mode } kind = Kind::tensor;
    std::string text;    ///< "x is f32[8, 3] on cpu"
    std::string reason;  ///< why the graphs depend on it
};
std::string_view name(Assumption::Kind kind);

/// Those of `record`'s compilation: tensors and numbers in input order, then aliasing, then the caller's modes. Empty
/// without metadata.
std::vector<Assumption> assumptionsOf(const CompileRecord& record);

}  // namespace aotscope
