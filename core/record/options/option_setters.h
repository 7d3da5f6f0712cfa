#pragma once

#include "record/options/options.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace aotscope {

// Setters and report values of options that their member's type does not determine. Setters get the words after the
// flag, and throw UsageError.

using Texts = std::vector<std::string>;

std::string noBanHelp();
void disableRules(Options& options, const Texts& names);
nlohmann::json disabledRules(const Options& options);
void takePolicies(Options& options, const Texts& values);
void takePlan(Options& options, const Texts& values);
void takePartitionFunction(Options& options, const Texts& values);
void takePeak(Options& options, const Texts& values);
void beAggressive(Options& options, const Texts& values);

std::string allowHelp();
void allowKinds(Options& options, const Texts& names);

void takeRemoteCommand(Options& options, const Texts& values);

void takeInputs(Options& options, const Texts& values);
nlohmann::json inputsJson(const Options& options);

void takeDevice(Options& options, const Texts& values);
void takeSettings(Options& options, const Texts& values);
nlohmann::json backwardCompiler(const Options& options);
nlohmann::json inferenceCompiler(const Options& options);

void takeDecompositions(Options& options, const Texts& values);
nlohmann::json decompositionsJson(const Options& options);

/// Replaces a file of links by the equivalent text, so that a session needs no other file.
void takeLinks(Options& options, const Texts& values);
void takeBucket(Options& options, const Texts& values);
void takePeakLimit(Options& options, const Texts& values);

void takeTimeLimit(Options& options, const Texts& values);
void takeMemoryLimit(Options& options, const Texts& values);

}  // namespace aotscope
