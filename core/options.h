#pragma once

#include "load/input_spec.h"
#include "partition/partition.h"

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace aotscope {

/// In which mode the model's modules run.
enum class ModuleMode : std::uint8_t { train, eval };
std::string_view name(ModuleMode mode);

/// Where example inputs come from: the model itself, a spec, or a file of saved tensors.
using InputSource = std::variant<std::monostate, InputSpec, std::filesystem::path>;

/// Everything that decides what a run does. Same options, same graphs.
struct Options {
    std::string model;                             ///< a path or "sample:NAME"
    std::string modelName;                         ///< which of several models in one file; empty: the only one
    std::filesystem::path weights;                 ///< tensors by name instead of the model's own; empty: none
    std::vector<std::filesystem::path> libraries;  ///< shared libraries that register operators
    InputSource inputs;
    std::filesystem::path inputFolder;  ///< where files that the spec names are looked up
    std::string device = "cpu";
    ModuleMode mode = ModuleMode::train;
    bool inference = false;  ///< no gradients at all
    PartitionAlgorithm partition = PartitionAlgorithm::minCut;
    bool staticParameters = false;
    std::uint64_t seed = 0;
#ifdef NDEBUG
    bool verify = false;
#else
    bool verify = true;
#endif
};

}  // namespace aotscope
