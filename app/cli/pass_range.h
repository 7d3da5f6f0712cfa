#pragma once

#include "record/pass_graphs.h"

#include <string>

namespace aotscope {

/// Names a graph of a run: a pass stands for the graph that it left, a kind of graph for the last one of that kind.
struct PassRange {
    std::string from, to;
};

/// Parses --passes: "functional..joint". Throws UsageError.
PassRange parsePassRange(const std::string& text);

/// The graph that `wanted` names. Throws UsageError if no graph or more than one matches, and the record's own error if
/// the pipeline failed before that pass.
PassGraph graphNamed(const CompileRecord& record, const std::string& wanted);

}  // namespace aotscope
