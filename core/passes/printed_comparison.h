#pragma once

#include "load/printed/log/family.h"
#include "record/compile_record.h"

#include <string>
#include <vector>

namespace aotscope {

/// The halves of a record, made of the printed joint graph, beside those that Python printed.
struct PrintedComparison {
    std::vector<std::string> equal;      ///< a sentence for each half, and for the saved values, that are the same
    std::vector<std::string> different;  ///< one for each that is not, and for each known reason of a difference
};
PrintedComparison compareWithPrinted(const CompileRecord& record, const PrintedFamily& family);

}  // namespace aotscope
