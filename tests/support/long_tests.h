#pragma once

#include <QtGlobal>

#include <string_view>

namespace aotscope::test {

/// Whether large models and all combinations are tested, as by ./dev test --long.
inline bool longTests() { return qEnvironmentVariableIsSet("AOTSCOPE_FUZZ"); }

/// Samples of which there is a smaller version.
inline bool isLargeSample(std::string_view name) {
    return name == "gpt2" || name == "gpt2-deep" || name == "bert" || name == "resnet50";
}

}  // namespace aotscope::test
