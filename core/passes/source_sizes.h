#pragma once

#include "ir/graph.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// The types of a run's inputs, by their names in the program.
using InputTypes = std::map<std::string, TensorType, std::less<>>;

/// The program as loaded, with the sizes of a run: its inputs have those in `inputs`, and what a file expresses by
/// symbols of its own follows from them: numbers, or expressions of `symbols`, the sizes that vary in the run. Types in
/// which a symbol of the file has no such meaning keep the numbers of the file. `source` itself, if nothing changes.
std::shared_ptr<const Graph> sourceAt(const std::shared_ptr<const Graph>& source, const InputTypes& inputs,
                                      const std::vector<Symbol>& symbols);

}  // namespace aotscope
