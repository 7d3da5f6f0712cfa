#pragma once

#include "record/options/options.h"
#include "record/results/results.h"
#include "support/error.h"

#include <string>
#include <vector>

namespace aotscope {

/// Deviations from the request, and omissions, with the reason: one sentence each. Examples: a graph run by another
/// compiler, an operator without a kernel or a shape rule, a skipped comparison. Errors with --strict.
std::vector<std::string> fallbacksOf(const CompileRecord& record);
std::vector<std::string> fallbacksOf(const std::vector<CompilerUse>& compilers);
std::vector<std::string> fallbacksOf(const CheckResult& check);
std::vector<std::string> fallbacksOf(const BisectResult& bisect);

/// "2 graphs ran by the interpreter instead of broken"; empty: all graphs ran as requested.
std::string whatRanInstead(const std::vector<CompilerUse>& compilers);

/// Throws Error if `options` are strict and there are any.
void requireNone(const std::vector<std::string>& fallbacks, const Options& options);
template <typename Result>
void requireNoFallback(const Result& result, const Options& options) {
    options.use("--strict");
    if (options.strict) requireNone(fallbacksOf(result), options);
}

}  // namespace aotscope
