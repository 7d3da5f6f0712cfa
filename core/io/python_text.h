#pragma once

#include "record/options.h"

#include <string>

namespace aotscope {

/// A few lines of Python that have PyTorch partition the model of `options` as they say, through the Python package: a
/// plan, by every option of graphs and partition that is not the default, and where its partitioner goes.
std::string partitionAsPython(const Options& options);

}  // namespace aotscope
