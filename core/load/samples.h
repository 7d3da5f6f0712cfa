#pragma once

#include <string>
#include <vector>

namespace torch::jit {
struct Module;
}

namespace aotscope {

/// A built-in model, created in memory with random weights that are always the same.
struct Sample {
    std::string name;
    std::string help;
    std::string inputSpec;  ///< JSON, as --inputs takes it
    torch::jit::Module (*build)();
};

const std::vector<Sample>& samples();

/// Throws Error listing the existing names.
const Sample& findSample(const std::string& name);

}  // namespace aotscope
