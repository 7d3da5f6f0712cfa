#pragma once

#include "cli/subcommand.h"

#include <memory>
#include <variant>

namespace aotscope {

/// What the user asked for, checked as far as it can be without loading anything.
struct CommandLine {
    Options options;
    std::unique_ptr<Subcommand> command;  ///< null: the window
    bool choosesCompiler = false;         ///< for the window: the one that it remembers does not count
    bool debug = false;                   ///< errors end with a stack trace
};

/// Parses the arguments. Prints help itself and then returns its exit code instead. Throws Error, UsageError.
std::variant<CommandLine, int> parseCommandLine(int argc, char** argv);

/// Runs the subcommand. Returns the exit code. Throws Error; with --debug it ends with a stack trace instead.
int runCommand(const CommandLine& line);

}  // namespace aotscope
