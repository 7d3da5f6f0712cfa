#pragma once

#include "ir/graph.h"
#include "ir/metadata.h"

#include <memory>
#include <vector>

namespace aotscope {

/// The loaded program with the sizes of a run: `inputs`, by their names in the program. Expressions in the file's own
/// symbols become numbers, or expressions of `symbols`, the dynamic sizes of the run. Types with an unresolved symbol
/// keep the numbers of the file. Returns `source` itself if nothing changes.
std::shared_ptr<const Graph> sourceAt(const std::shared_ptr<const Graph>& source, const std::vector<InputInfo>& inputs,
                                      const std::vector<Symbol>& symbols);

}  // namespace aotscope
