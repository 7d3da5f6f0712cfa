#pragma once

#include "record/results/results.h"

namespace aotscope {

/// Exit codes of the program, one for each kind of end: see "Exit codes" in the manual's page about the command line.
enum ExitCode : int {
    kFine = 0,
    kFailed = 1,      ///< Error and everything that LibTorch or the system throws: it was tried and did not work
    kWrongUsage = 2,  ///< UsageError: it was not tried, since what was typed is wrong or has no effect
    kDifference = 3,  ///< what was looked for, a difference or a NaN, is there
};

/// A check that could not compare has failed.
constexpr int exitCodeOf(CheckVerdict verdict) {
    switch (verdict) {
        case CheckVerdict::equal: return kFine;
        case CheckVerdict::differs: return kDifference;
        case CheckVerdict::notCompared: return kFailed;
    }
    return kFailed;
}

}  // namespace aotscope
