#pragma once

#include "ir/argument.h"
#include "load/exported/devices.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// Whether a higher-order operator just runs a graph, so that the graph's operations can replace it.
bool isInlined(std::string_view name);

/// The operation that begins a region (execute/regions.h), and its arguments.
struct RegionBegin {
    std::string op;
    std::vector<Argument> args;
};

/// The begin of the region that `node`, the operator `name`, runs. Nothing for a region that changes nothing, such as
/// autocast for a type of device that the program has no tensors on. `checkpoints`: how many regions with activation
/// checkpointing there are so far. Throws Error for a state that the node does not give.
std::optional<RegionBegin> beginOfRegion(const exported::Node& node, std::string_view name,
                                         const ProgramDevices& devices, std::int32_t& checkpoints);

}  // namespace aotscope
