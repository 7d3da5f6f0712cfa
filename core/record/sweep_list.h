#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// One of the runs of a sweep: a model, and options as on the command line.
struct SweepRun {
    std::string text;       ///< "sample:mlp --seed 3"
    std::size_t place = 1;  ///< line number, or position in the list
};

/// The runs in a file: one per line, without empty lines and lines that begin with '#'; or a JSON list of strings and
/// {"model", "options"} objects. Throws Error, a clause, for any other document, and without runs or with more than
/// kMostSweepRuns.
std::vector<SweepRun> sweepRuns(std::string_view document);
inline constexpr std::size_t kMostSweepRuns = 100'000;

}  // namespace aotscope
