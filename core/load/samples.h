#pragma once

#include <string>
#include <vector>

namespace torch::jit {
struct Module;
}

namespace aotscope {

/// A model that the program brings along, built in memory with random weights that are the same every time.
struct Sample {
    std::string name;
    std::string help;
    std::string inputSpec;  ///< JSON, as --inputs takes it
    torch::jit::Module (*build)();
};

const std::vector<Sample>& samples();

/// Throws Error listing the names there are.
const Sample& findSample(const std::string& name);

}  // namespace aotscope
