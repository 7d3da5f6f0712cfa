#pragma once

#include "load/exported/export_schema.h"
#include "program/program.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// An exported program as a graph for display: operations as written, with the file's names, regions inlined.
/// `stateOfInput` gives for every input of the program its index in `state`, nothing for user inputs, whose names are
/// `leafNames`; `outputNames` are those of user outputs, as OutputInfo has them.
std::shared_ptr<const Graph> sourceGraph(const exported::Document& document, const std::vector<StateTensor>& state,
                                         const std::vector<std::optional<std::size_t>>& stateOfInput,
                                         const std::vector<std::string>& leafNames,
                                         const std::vector<std::string>& outputNames);

}  // namespace aotscope
