#pragma once

#include "cli/command_line.h"

namespace aotscope {

class Engine;

/// What the two programs do in different ways: the engine, and the one with the window.
class MainProgram {
public:
    virtual ~MainProgram() = default;

    /// For crash reports; empty: LibTorch is not linked.
    virtual std::string torchVersion() const { return {}; }
    /// Called first.
    virtual void initialize() const {}
    /// In the order of --help.
    virtual std::vector<std::unique_ptr<Subcommand>> commands(CLI::App& parent) const = 0;
    /// For --help without a subcommand; if it returns, the program prints its own.
    virtual void help() const {}
    /// Throws UsageError for options of a run.
    virtual void check(const Options& /*options*/) const {}
    /// For --debug.
    virtual void showLog() const {}
    /// What opens the models of subcommands.
    virtual std::shared_ptr<const Engine> engine() const = 0;
    /// Returns the exit code. Throws Error.
    virtual int runWithoutCommand(const CommandLine& line) const = 0;
};

/// The value of an option among the arguments that must be known before they are read; empty: it is not there.
std::string valueAmong(char** argv, const std::string& option);

/// main() of both: ends the process.
[[noreturn]] void runMain(const MainProgram& program, int argc, char** argv);

}  // namespace aotscope
