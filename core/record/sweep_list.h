#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// One of the runs of a sweep: a model, and options as on the command line.
struct SweepRun {
    std::string text;       ///< "sample:mlp --seed 3"
    std::size_t place = 1;  ///< of its line, or in its list
};

/// The runs in a file: one a line, without empty lines and what follows a '#' at the beginning of a line; or a JSON
/// list of texts and of {"model", "options"}. Throws Error, a clause, for another document, and for one without runs or
/// with more than kMostSweepRuns.
std::vector<SweepRun> sweepRuns(std::string_view document);
inline constexpr std::size_t kMostSweepRuns = 100'000;

}  // namespace aotscope
