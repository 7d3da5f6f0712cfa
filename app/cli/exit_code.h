#pragma once

#include "record/results.h"

namespace aotscope {

/// Exit codes of the program.
enum ExitCode : int { kFine = 0, kFailed = 1, kWrongUsage = 2, kDifference = 3 };

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
