#pragma once

#include "cli/debug_command.h"
#include "cli/pass_range.h"
#include "export/picture_style.h"
#include "record/options.h"
#include "record/results.h"
#include "record/train_result.h"

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
        compilers,
        ops,
        partition,
        diff,
        pareto,
        debug,
        train
    } kind = Kind::window;
    Options options;
    bool choosesCompiler = false;  ///< window: the one that it remembers does not count
    // run
    bool check = false, bisect = false;
    int timeIterations = 0, warmUps = TimingOptions{}.warmUps;
    std::optional<Options> against;    ///< of another variant, to be timed in turn with this one
    std::string againstText;           ///< as they were typed
    std::filesystem::path trace, csv;  ///< the times as Chrome trace, as table; empty: not wanted
    std::filesystem::path report;      ///< of partition also "-": to the screen
    std::filesystem::path save;        ///< a session file; empty: none
    bool embed = false;                ///< the model's file goes into it
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
    DebugScript script;  ///< of debug
    // train: `report` takes the JSON, `csv` the steps
    TrainOptions training;
    // ops
    std::string pattern;
    bool json = false, uncovered = false;
    bool debug = false;  ///< stack dumps with errors
};

/// Exit codes of the program.
enum ExitCode : int { kFine = 0, kFailed = 1, kWrongUsage = 2, kDifference = 3 };

/// Parses the arguments. Prints help itself and then returns its exit code instead. Throws Error, UsageError.
std::variant<Command, int> parseCommandLine(int argc, char** argv);

/// Runs any command but the window. Returns the exit code. Throws Error; with --debug it ends with a dump instead.
int runCommand(const Command& command);

}  // namespace aotscope
