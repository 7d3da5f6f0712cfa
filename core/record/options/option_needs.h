#pragma once

#include "record/options/options.h"

#include <string>

namespace aotscope {

// Why an option has no effect with the others, for OptionEntry::needs: one sentence, or empty.

std::string needsThisMachine(const Options& options);
std::string needsExportedFile(const Options& options);
std::string needsTorchScript(const Options& options);
std::string needsCuda(const Options& options);
std::string needsBackward(const Options& options);
std::string needsInference(const Options& options);
std::string needsPlan(const Options& options);
std::string needsNoFunction(const Options& options);
std::string needsNoOtherPlan(const Options& options);
std::string needsPeak(const Options& options);
std::string needsRules(const Options& options);
std::string needsMinCut(const Options& options);
std::string needsBudget(const Options& options);
std::string needsMoves(const Options& options);

}  // namespace aotscope
