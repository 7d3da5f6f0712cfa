#pragma once

#include "options.h"
#include "pass_range.h"
#include "picture_style.h"
#include "runtime/train_result.h"

#include <filesystem>
#include <optional>
#include <string>

namespace aotscope {

/// What the user asked for, checked as far as it can be without loading anything.
struct Command {
    enum class Kind : std::uint8_t {
        window,
        run,
        exportGraph,
        passes,
        samples,
        compiles,
        ops,
        partition,
        diff,
        pareto,
        train
    } kind = Kind::window;
    Options options;
    // run
    bool check = false, bisect = false;
    int timeIterations = 0;
    std::filesystem::path report;  ///< of partition also "-": to the screen
    std::filesystem::path save;    ///< a session file; empty: none
    bool embed = false;            ///< the model's file goes into it
    // export
    std::string graph = "joint";
    std::string format;  ///< empty: from the output's ending
    PictureStyle picture;
    std::filesystem::path output;
    // diff: the other model or report, options.model being the first, or two passes of one run; `output`: a picture
    std::string other, onlyGraph;
    std::optional<PassRange> passes;
    bool failOnChange = false;
    // pareto: `report` takes the JSON, `output` the chart
    int points = 20;
    bool measure = false;
    // train: `report` takes the JSON
    TrainOptions training;
    std::filesystem::path csv;  ///< empty: none
    // ops
    std::string pattern;
    bool json = false, uncovered = false;
    bool debug = false;  ///< stack dumps with errors
};

/// Exit codes of the program.
enum ExitCode : int { kFine = 0, kFailed = 1, kWrongUsage = 2, kDifference = 3 };

/// Parses the arguments. Prints help or a usage error itself and then returns its exit code instead.
std::variant<Command, int> parseCommandLine(int argc, char** argv);

/// Runs any command but the window. Returns the exit code; errors have been printed.
int runCommand(const Command& command);

}  // namespace aotscope
