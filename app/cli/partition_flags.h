#pragma once

#include "record/partition_options.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace aotscope {

/// What the command line says about the partition besides the algorithm, as it is typed.
struct PartitionFlags {
    double budget = 1;
    std::string solver = "dp", estimator = "flops";
    std::vector<std::string> save, recompute, noBan;
    bool aggressive = false, recomputeViews = false;
};

void addPartitionFlags(CLI::App& app, PartitionFlags& flags);
void applyPartitionFlags(const PartitionFlags& flags, PartitionOptions& options);

}  // namespace aotscope
