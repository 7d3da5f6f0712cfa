#pragma once

#include <QtGlobal>

#include <string_view>

namespace aotscope::test {

/// Whether large models and every combination are asked for, as ./dev test --long does.
inline bool longTests() { return qEnvironmentVariableIsSet("AOTSCOPE_FUZZ"); }

/// Samples with a smaller one of the same kind.
inline bool isLargeSample(std::string_view name) {
    return name == "gpt2" || name == "gpt2-deep" || name == "bert" || name == "resnet50";
}

}  // namespace aotscope::test
