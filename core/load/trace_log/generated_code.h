#pragma once

#include "record/compile_story.h"

#include <string_view>

namespace aotscope {

/// Inductor's code of one graph, and the calls in it.
struct GeneratedCode {
    std::string graph;       ///< "0_forward": Inductor's number; empty: unknown
    std::uint64_t line = 0;  ///< of its record in the log
    std::string text;
    std::vector<GeneratedCall> calls;
};

/// "cpp_fused_relu_0" for "cpp_fused_relu_0(buf0)", "triton_poi_0" for "triton_poi_0.run(x)".
std::string_view kernelOf(std::string_view call);

/// The calls of kernels in the function that Inductor generated, with the nodes that comments name.
std::vector<GeneratedCall> callsIn(std::string_view code);

/// All code of a compilation, with the `inductor_provenance_tracking_*` records of its kernels. Throws Error if the
/// file cannot be read.
std::vector<GeneratedCode> readGeneratedCode(const TraceLog& log, const TracedCompile& compile);

}  // namespace aotscope
