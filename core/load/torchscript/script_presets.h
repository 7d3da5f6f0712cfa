#pragma once

#include <string>
#include <vector>

namespace aotscope {

/// A program for the scratch pad that shows one feature of AOTAutograd.
struct ScriptPreset {
    std::string name;
    std::string help;    ///< what to look for: one or two sentences
    std::string code;    ///< TorchScript functions
    std::string inputs;  ///< in the syntax of parseShortInputs
};

const std::vector<ScriptPreset>& scriptPresets();

}  // namespace aotscope
