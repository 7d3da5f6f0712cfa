#pragma once

#include "load/printed/log/family.h"
#include "record/compile_record.h"

#include <string>
#include <vector>

namespace aotscope {

/// The forward and backward of a record, split from the printed joint graph, compared with those that Python printed.
struct PrintedComparison {
    std::vector<std::string> equal;      ///< a sentence for each graph that matches, and for matching saved values
    std::vector<std::string> different;  ///< a sentence for each that does not, and for each known reason
};
PrintedComparison compareWithPrinted(const CompileRecord& record, const PrintedFamily& family);

}  // namespace aotscope
