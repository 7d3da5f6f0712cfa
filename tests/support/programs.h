#pragma once

#include "record/options/options.h"
#include "support/models.h"

#include <string>
#include <vector>

namespace aotscope::test {

/// A small TorchScript model with inputs that shows one behaviour.
struct ProgramText {
    std::string name;
    std::string methods;
    std::string inputs;                    ///< an input spec
    Attributes (*attributes)() = nullptr;  ///< made for each use
    ModuleMode mode = ModuleMode::train;

    ScriptModule module() const { return moduleFrom(methods, attributes ? attributes() : Attributes{}); }
};

const std::vector<ProgramText>& programTexts();
const ProgramText& programText(const std::string& name);

}  // namespace aotscope::test
