#pragma once

#include "load/printed/family.h"
#include "record/compile_record.h"

#include <string>
#include <vector>

namespace aotscope {

/// What distinguishes the halves of `record`, made of the printed joint graph, from those that Python printed: a
/// sentence for each half and for the saved values, and one for each known reason of a difference.
std::vector<std::string> compareWithPrinted(const CompileRecord& record, const PrintedFamily& family);

}  // namespace aotscope
