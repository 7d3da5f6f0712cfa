#pragma once

#include "record/pass_id.h"

#include <optional>

namespace aotscope {

/// The graphs of a pipeline, in order of creation.
enum class GraphKind : std::uint8_t { source, preFunctionalization, functional, joint, forward, backward, inference };
inline constexpr int kGraphKinds = 7;
/// The spelling on the command line: "forward-traced".
std::string_view name(GraphKind kind);
std::optional<GraphKind> graphKindFromName(std::string_view name);
/// The pass that produces the first graph of this kind.
PassId makerOf(GraphKind kind);

}  // namespace aotscope
