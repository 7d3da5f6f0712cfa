#pragma once

#include "load/exported/plan.h"

#include <c10/core/Device.h>

#include <set>
#include <string_view>

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

/// What `node`, a call of the higher-order operator `name`, runs its graph under; the body is left empty. Autocast for
/// a type of device that the program has no tensors on has no effect. Throws Error for a state that the node does not
/// give.
RegionStep regionOf(const exported::Node& node, std::string_view name, const ProgramDevices& devices);

/// Which inputs of a graph that an operator such as cond runs are numbers: the operator takes tensors only.
std::vector<bool> numberInputs(const exported::Graph& graph);

}  // namespace aotscope
