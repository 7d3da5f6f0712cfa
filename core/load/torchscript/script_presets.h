#pragma once

#include <string>
#include <vector>

namespace aotscope {

/// A program for the scratch pad that shows one thing that AOTAutograd does.
struct ScriptPreset {
    std::string name;
    std::string help;    ///< what to look at: one or two sentences
    std::string code;    ///< TorchScript functions
    std::string inputs;  ///< as parseShortInputs takes them
};

const std::vector<ScriptPreset>& scriptPresets();

}  // namespace aotscope
