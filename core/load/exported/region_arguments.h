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

/// The begin of the region that `node`, the operator `name`, runs. Nothing for a region without effect, such as
/// autocast for a device type without tensors in the program. `checkpoints`: the number of checkpointed regions so far.
/// Throws Error if the node does not give the state.
std::optional<RegionBegin> beginOfRegion(const exported::Node& node, std::string_view name,
                                         const ProgramDevices& devices, std::int32_t& checkpoints);

}  // namespace aotscope
