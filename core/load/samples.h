#pragma once

#include "record/options/options.h"

#include <memory>
#include <string>
#include <vector>

namespace torch::jit {
struct Module;
}

namespace aotscope {

class Program;
class SampleBuilder;

/// A built-in model, created in memory with deterministic random weights.
struct Sample {
    std::string name;
    std::string help;
    std::string inputSpec;  ///< JSON for --inputs
    torch::jit::Module (*build)(SampleBuilder&);
};

const std::vector<Sample>& samples();

/// Throws Error listing the existing names.
const Sample& findSample(const std::string& name);

/// Its random weights are created by Program::materializeState().
std::shared_ptr<const Program> programOf(const Sample& sample, ModuleMode mode, const std::string& method = "forward");

}  // namespace aotscope
