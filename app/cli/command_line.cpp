#include "cli/command_line.h"

#include "cli/option_flags.h"
#include "cli/session_flags.h"
#include "support/confinement.h"
#include "support/error.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace aotscope {

namespace {

/// In the order of --help.
std::vector<std::unique_ptr<Subcommand>> makeSubcommands(CLI::App& app) {
    std::vector<std::unique_ptr<Subcommand>> commands;
    for (const auto make :
         {makeRunCommand, makeExportCommand, makePassesCommand, makePartitionCommand, makeParetoCommand,
          makeSweepCommand, makeTrainCommand, makeDiffCommand, makeRanksCommand, makeDebugCommand, makeMinifyCommand,
          makeCompilesCommand, makeSamplesCommand, makeCompilersCommand, makeOpsCommand, makeServeCommand})
        commands.push_back(make(app));
    return commands;
}

/// Throws UsageError for what an output would destroy.
void checkFiles(const Options& options, const std::vector<const CLI::App*>& parsers, const Subcommand* command) {
    std::vector<NamedFile> read = filesRead(options);
    for (const CLI::App* parser : parsers)  // an input spec is in the options, its file is not
        if (isGiven(*parser, "--inputs"))
            read.push_back({"--inputs", parser->get_option("--inputs")->results().back()});
    if (!command) return;
    for (NamedFile& file : command->otherFilesRead()) read.push_back(std::move(file));
    requireSeparateFiles(read, command->filesWritten());
}

CommandLine checked(const CLI::App& app, std::unique_ptr<Subcommand> command) {
    std::vector<const CLI::App*> parsers = {&app};
    if (command) parsers.push_back(&command->parser());
    CommandLine line;
    line.options = readOptions(parsers);
    for (const CLI::App* parser : parsers) {
        line.options.repartition |= isGiven(*parser, "--partition");
        line.debug |= isGiven(*parser, "--debug");
    }
    if (command) command->check(line.options);
    refuseSessionFile(line.options.partition.save);
    checkOptions(line.options);
    if (command && command->adaptsToSession()) adaptToSessionFile(command->parser(), line.options);
    checkFiles(line.options, parsers, command.get());
    line.choosesCompiler = isGiven(app, "--compiler");
    line.command = std::move(command);
    return line;
}

}  // namespace

std::variant<CommandLine, int> parseCommandLine(int argc, char** argv) {
    CLI::App app{
        "aotscope runs PyTorch's AOTAutograd pipeline in C++ and shows every step of it.\nWithout a subcommand it "
        "opens the window.",
        "aotscope"};
    app.set_version_flag("--version", [] { return std::string(AOTSCOPE_VERSION) + "\n" + confinementText(); });
    app.footer(helpExample("aotscope sample:resnet18"));
    addOptions(app, "");
    auto commands = makeSubcommands(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp& e) {
        return app.exit(e);
    } catch (const CLI::CallForVersion& e) {
        return app.exit(e);
    } catch (const CLI::ParseError& e) {
        throw UsageError(e.what() + std::string("; see 'aotscope --help'"));
    }
    const auto chosen = std::ranges::find_if(commands, [](const auto& command) { return command->parser().parsed(); });
    return checked(app, chosen == commands.end() ? nullptr : std::move(*chosen));
}

int runCommand(const CommandLine& line) {
    const auto run = [&] { return line.command->run(line.options); };
    const auto dumping = [&]() noexcept { return run(); };  // an error ends with the system's full dump
    return line.debug ? dumping() : run();
}

}  // namespace aotscope
