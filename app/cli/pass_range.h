#pragma once

#include "record/pass_graphs.h"

#include <string>

namespace aotscope {

/// Two graphs of one run by name: a pass, for the graph that it has left, or a kind of graph, for the last one.
struct PassRange {
    std::string from, to;
};

/// As --passes takes it: "functional..joint". Throws UsageError.
PassRange parsePassRange(const std::string& text);

/// The graph that `wanted` stands for. Throws UsageError if there is none or more than one, and the record's own error
/// if the pipeline had not come that far.
PassGraph graphNamed(const CompileRecord& record, const std::string& wanted);

}  // namespace aotscope
