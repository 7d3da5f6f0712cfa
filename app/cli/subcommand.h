#pragma once

#include "cli/command_files.h"
#include "record/options/options.h"
#include "support/progress.h"

#include <CLI/App.hpp>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

class Engine;
class Session;
struct CompileRecord;

/// A subcommand: its own options and its action. The constructor adds the options to the parser, which fills in the
/// members.
class Subcommand {
public:
    virtual ~Subcommand() = default;
    Subcommand(const Subcommand&) = delete;
    Subcommand& operator=(const Subcommand&) = delete;

    /// Parser of its arguments; destroyed once they are parsed.
    const CLI::App& parser() const { return app_; }
    bool takesModel() const { return takesModel_; }

    /// Checks the arguments as far as possible without loading anything. Throws UsageError.
    virtual void check(Options& /*options*/) {}
    /// The options of the runs that it makes besides the one that its options describe.
    virtual std::vector<const Options*> otherRuns() const { return {}; }
    /// The files that it reads besides those in options, and the files that it writes.
    virtual std::vector<NamedFile> otherFilesRead() const { return {}; }
    virtual std::vector<NamedFile> filesWritten() const { return {}; }

    /// Throws UsageError for an option that neither the opened model nor, according to `own`, the command uses.
    static void requireUsed(const Options& options, std::initializer_list<std::string_view> own = {});

    /// What opens models: call it before run.
    void use(std::shared_ptr<const Engine> engine) { engine_ = std::move(engine); }
    /// Returns the exit code. Throws Error. The parser is no longer needed.
    virtual int run(const Options& options) = 0;

protected:
    enum class Takes : std::uint8_t { model, noModel };
    /// `example`: what --help shows, one or several lines.
    Subcommand(CLI::App& parent, const std::string& name, const std::string& help, const std::string& example,
               Takes takes);

    const std::shared_ptr<const Engine>& engine() const { return engine_; }
    bool given(const std::string& option) const { return app_.count(option) > 0; }

    /// Opens the model, then requires that all options are used, by it or later by the command. Prints its warnings on
    /// stderr.
    std::shared_ptr<const Session> open(const Options& options, std::initializer_list<std::string_view> own) const;
    /// For commands whose results include the warnings.
    std::shared_ptr<const Session> openQuietly(const Options& options, std::initializer_list<std::string_view> own,
                                               const Progress& progress) const;
    /// For commands that run the model, such as `command`: requires that it was compiled and can run.
    std::shared_ptr<const Session> openToRun(const Options& options, std::initializer_list<std::string_view> own,
                                             const std::string& command) const;
    static void warn(const CompileRecord& record);

    CLI::App& app_;

private:
    bool takesModel_;
    std::shared_ptr<const Engine> engine_;
};

/// The examples at the end of --help.
std::string helpExample(const std::string& example);

/// All of them. For those that the program with the window does not have, it becomes the engine.
inline constexpr const char* kSubcommands[] = {
    "run",    "export",   "passes",  "partition", "pareto", "sweep", "train", "diff",     "ranks", "debug",
    "minify", "compiles", "samples", "compilers", "ops",    "costs", "fit",   "snapshot", "hang",  "serve"};

std::unique_ptr<Subcommand> makeRunCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeExportCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makePassesCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makePartitionCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeParetoCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeSweepCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeTrainCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeDiffCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeRanksCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeDebugCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeMinifyCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeCompilesCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeSamplesCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeCompilersCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeOpsCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeCostsCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeFitCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeSnapshotCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeHangCommand(CLI::App& parent);
std::unique_ptr<Subcommand> makeServeCommand(CLI::App& parent);

}  // namespace aotscope
