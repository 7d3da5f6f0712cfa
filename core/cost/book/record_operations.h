#pragma once

#include "record/compile_record.h"

#include <cstdint>
#include <vector>

namespace aotscope {

/// The operations with one signature (signature.h).
struct AlikeOperations {
    const Node* node = nullptr;   ///< the first of them
    std::uint64_t signature = 0;  ///< as a number
    /// In one run of the graphs: subgraphs count as often as they run, and all branches of a cond.
    std::int64_t calls = 0;
};

/// Which graphs of a record.
enum class GraphsOf : std::uint8_t {
    runs,   ///< those that a run executes
    record  ///< all
};

/// The operations of these graphs and of their subgraphs, each signature once, in order of the first.
std::vector<AlikeOperations> operationsIn(const CompileRecord& record, GraphsOf graphs);

}  // namespace aotscope
