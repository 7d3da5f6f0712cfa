#pragma once

#include <string>
#include <vector>

namespace aotscope {

/// What can be said of a built-in model without making it.
struct SampleInfo {
    std::string name;
    std::string help;
    std::string inputSpec;  ///< JSON for --inputs
};

const std::vector<SampleInfo>& sampleList();

/// Throws Error listing the existing names.
const SampleInfo& findSample(const std::string& name);

}  // namespace aotscope
