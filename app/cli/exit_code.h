#pragma once

#include "record/results/results.h"

namespace aotscope {

/// Exit codes of the program: see "Exit codes" in the manual's page about the command line.
enum ExitCode : int {
    kFine = 0,
    kFailed = 1,      ///< Error and everything that LibTorch or the system throws: tried, and failed
    kWrongUsage = 2,  ///< UsageError: not tried, since the command line is wrong or has no effect
    kDifference = 3,  ///< found what was looked for: a difference or a NaN
};

/// A check that could not compare counts as failed.
constexpr int exitCodeOf(CheckVerdict verdict) {
    switch (verdict) {
        case CheckVerdict::equal: return kFine;
        case CheckVerdict::differs: return kDifference;
        case CheckVerdict::notCompared: return kFailed;
    }
    return kFailed;
}

}  // namespace aotscope
