#include "cli/session_flags.h"

#include "io/session/session_file.h"
#include "support/error.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <set>

namespace aotscope {

namespace {

const std::set<std::string> kOfPartition = {
    "--partition", "--memory-budget", "--solver",     "--estimator",       "--save",
    "--recompute", "--no-ban",        "--aggressive", "--recompute-views", "--static-params"};
const std::set<std::string> kOfModel = {"--model-name",
                                        "--weights",
                                        "--inputs",
                                        "--device",
                                        "--mode",
                                        "--inference",
                                        "--compile-id",
                                        "--decompose",
                                        "--keep-input-mutations",
                                        "--dynamic",
                                        "--static-shapes",
                                        "--recompile-limit",
                                        "--seed",
                                        "--cross-check-fake",
                                        "--at",
                                        "--compiler",
                                        "--backward-compiler",
                                        "--inference-compiler",
                                        "--compiler-option",
                                        "--cuda-graphs"};

}  // namespace

void addSaveFlags(CLI::App& run, Command& command) {
    run.get_option("--save")->description(
        "FILE.aotscope: write everything into a session file, to be opened later and elsewhere; NODE: a value of the "
        "joint graph to save if the backward can use it (repeatable)");
    run.get_option("--save")->type_name("FILE.aotscope|NODE");
    run.add_flag("--embed", command.embed, "with --save FILE.aotscope: put the model's file into it, too");
}

void takeSessionFile(Command& command, std::vector<std::string>& saved) {
    const auto isFile = [](const std::string& value) {
        return std::filesystem::path(value).extension() == kSessionEnding;
    };
    for (const std::string& value : saved) {
        if (!isFile(value)) continue;
        if (command.kind != Command::Kind::run)
            throw UsageError("--save " + value + ": only 'aotscope run' writes sessions; here a node is expected");
        if (!command.save.empty())
            throw UsageError("--save " + value + ": one session file is expected, " + command.save.string() +
                             " is given, too");
        command.save = value;
    }
    std::erase_if(saved, isFile);
    if (command.embed && command.save.empty()) throw UsageError("--embed: say where to, with --save FILE.aotscope");
}

void adaptToSessionFile(const CLI::App& level, Options& options) {
    if (!isSessionFile(options.model)) return;
    for (const CLI::Option* option : level.get_options()) {
        const std::string name = option->get_name();
        if (option->count() == 0) continue;
        // What a session names is loaded if it is named here, too; a plug-in's settings go with it.
        const bool ofPlugin = name == "--compiler-option" && !options.compilers.plugins.empty();
        if (kOfModel.contains(name) && !ofPlugin)
            throw UsageError(
                name + ": '" + options.model +
                "' is a saved session, which has the options that it was made with; give the model itself");
        const bool onlyFile = name == "--save" && options.partition.save.empty();
        options.splitAgain = options.splitAgain || (kOfPartition.contains(name) && !onlyFile);
    }
}

}  // namespace aotscope
