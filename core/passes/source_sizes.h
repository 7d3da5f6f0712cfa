#pragma once

#include "ir/graph.h"
#include "ir/metadata.h"

#include <memory>
#include <vector>

namespace aotscope {

/// The program as loaded, with the sizes of a run: `inputs`, by their names in the program. What a file expresses by
/// symbols of its own follows from them: numbers, or expressions of `symbols`, the sizes that vary in the run. Types in
/// which a symbol of the file has no such meaning keep the numbers of the file. `source` itself, if nothing changes.
std::shared_ptr<const Graph> sourceAt(const std::shared_ptr<const Graph>& source, const std::vector<InputInfo>& inputs,
                                      const std::vector<Symbol>& symbols);

}  // namespace aotscope
