#include "cli/command_line.h"

#include "cli/main_program.h"
#include "cli/option_flags.h"
#include "cli/session_flags.h"
#include "cli/wrapped_help.h"
#include "support/confinement.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>

namespace aotscope {

namespace {

/// Throws UsageError if an output would overwrite an input.
void checkFiles(const Options& options, const std::vector<const CLI::App*>& parsers, const Subcommand* command) {
    std::vector<NamedFile> read = filesRead(options);
    for (const CLI::App* parser : parsers)  // an input spec is in the options, its file is not
        if (isGiven(*parser, "--inputs"))
            read.push_back({"--inputs", parser->get_option("--inputs")->results().back()});
    if (!command) return;
    const auto add = [&](std::vector<NamedFile> files) { std::ranges::move(files, std::back_inserter(read)); };
    for (const Options* run : command->otherRuns()) add(filesRead(*run));
    add(command->otherFilesRead());
    requireSeparateFiles(read, command->filesWritten());
}

CommandLine checked(const CLI::App& app, std::unique_ptr<Subcommand> command) {
    std::vector<const CLI::App*> parsers = {&app};
    if (command) parsers.push_back(&command->parser());
    CommandLine line;
    line.options = readOptions(parsers);
    line.options.use("--debug");
    for (const CLI::App* parser : parsers) {
        line.options.repartition |= isGiven(*parser, "--partition");
        line.debug |= isGiven(*parser, "--debug");
    }
    if (command) command->check(line.options);
    else if (line.options.model.empty() && isGiven(app, "--remote-command"))
        throw UsageError("--remote-command: no MODEL is given; add ssh://HOST/PATH");
    refuseSessionFile(line.options.partition.save);
    checkOptions(line.options);
    if (command && command->takesModel()) partitionAnew(command->parser(), line.options);
    checkFiles(line.options, parsers, command.get());
    line.writesToStandardOutput =
        command && std::ranges::any_of(command->filesWritten(), [](const NamedFile& file) { return file.path == "-"; });
    line.choosesCompiler = isGiven(app, "--compiler");
    line.command = std::move(command);
    return line;
}

/// A suggestion for a mistyped name; empty: no name is similar.
std::string didYouMean(const std::string& typed, const std::vector<std::string>& names) {
    const auto similar = similarNames(typed, names);
    return similar.empty() ? "" : "did you mean " + inQuotes(similar.front()) + "? ";
}

/// A first word that is no command is taken for a model.
std::string commandInPlaceOfModel(const CLI::App& app) {
    const CLI::Option* model = app.get_option_no_throw("MODEL");
    const std::string typed = model && model->count() > 0 ? model->results().front() : std::string();
    std::error_code failure;
    if (typed.empty() || std::filesystem::exists(typed, failure)) return {};
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
    const std::string hint = didYouMean(typed, commands);
    return hint.empty() ? "" : "there is no command " + inQuotes(typed) + "; " + hint;
}

/// The option that `parser` does not know.
std::string unknownOption(const CLI::App& parser) {
    for (const std::string& typed : parser.remaining()) {
        if (!typed.starts_with("-")) continue;
        std::vector<std::string> names;
        for (const CLI::Option* option : parser.get_options())
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        return didYouMean(typed.substr(0, typed.find('=')), names);
    }
    return {};
}

/// The error with a suggestion and where to read more.
std::string parseErrorText(const CLI::ParseError& e, const CLI::App& app) {
    const auto parsed = app.get_subcommands();
    const CLI::App& parser = parsed.empty() ? app : *parsed.front();
    const bool extra = dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr;
    std::string text = extra && parsed.empty() ? commandInPlaceOfModel(app) : std::string();
    if (text.empty()) text = e.what() + std::string("; ") + (extra ? unknownOption(parser) : std::string());
    return text + "see 'aotscope " + (parsed.empty() ? "" : parser.get_name() + " ") + "--help'";
}

}  // namespace

std::variant<CommandLine, int> parseCommandLine(const MainProgram& program, int argc, char** argv) {
    CLI::App app{
        "aotscope runs PyTorch's AOTAutograd pipeline in C++ and shows every step of it.\nWithout a subcommand it "
        "opens the window.",
        "aotscope"};
    app.set_help_flag("-h,--help", "print this help and exit");
    app.set_version_flag(
        "--version", [] { return std::string(AOTSCOPE_VERSION) + "\n" + confinementText(); },
        "print the version and exit");
    app.footer(helpExample("aotscope sample:resnet18"));
    app.formatter(std::make_shared<WrappedHelp>());
    addOptions(app, "");
    auto commands = program.commands(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp& e) {
        if (app.get_subcommands().empty()) program.help();
        return app.exit(e);
    } catch (const CLI::CallForVersion& e) {
        return app.exit(e);
    } catch (const CLI::ParseError& e) {
        throw UsageError(parseErrorText(e, app));
    }
    const auto chosen = std::ranges::find_if(commands, [](const auto& command) { return command->parser().parsed(); });
    return checked(app, chosen == commands.end() ? nullptr : std::move(*chosen));
}

}  // namespace aotscope
