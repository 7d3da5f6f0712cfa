#pragma once

#include "cli/subcommand.h"

#include <memory>
#include <variant>

namespace aotscope {

/// What the user asked for, checked as far as possible without loading anything.
struct CommandLine {
    Options options;
    std::unique_ptr<Subcommand> command;  ///< null: none is given
    bool choosesCompiler = false;         ///< for the window: use this compiler, not the remembered one
    bool debug = false;                   ///< errors end with a stack trace
    bool writesToStandardOutput = false;  ///< a file: "-"
};

class MainProgram;

/// Parses the arguments. Prints help itself and returns its exit code instead. Throws Error, UsageError.
std::variant<CommandLine, int> parseCommandLine(const MainProgram& program, int argc, char** argv);

}  // namespace aotscope
