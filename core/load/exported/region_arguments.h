#pragma once

#include "ir/argument.h"
#include "load/exported/export_schema.h"

#include <c10/core/Device.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// True for a higher-order operator that just runs a graph: the graph's operations stand in its place.
bool isInlined(std::string_view name);

/// The devices of a program's tensors when it was exported, and the one that it runs on here.
struct ProgramDevices {
    std::set<c10::DeviceType> exported;
    c10::Device here;
};
/// `here` takes the place of every device.
ProgramDevices devicesOf(const exported::Graph& graph, c10::Device here);
/// One for each accelerator that the program does not run on here.
std::vector<std::string> warningsOf(const ProgramDevices& devices);

/// The arguments of the operation that begins the region which `node` runs (execute/regions.h). Throws Error for a
/// state that the node does not give.
std::vector<Argument> gradModeOf(const exported::Node& node);
/// None: autocast for a type of device that the program has no tensors on has no effect.
std::vector<Argument> autocastOf(const exported::Node& node, const ProgramDevices& devices);

}  // namespace aotscope
