#include "cli/confined_serve.h"
#include "cli/drawing/pareto_command.h"
#include "cli/main_program.h"
#include "cli/serve_command.h"
#include "cli/window/window_command.h"
#include "remote/engine_program.h"
#include "session/open/without_engine.h"
#include "support/error.h"

#include <CLI/CLI.hpp>

namespace {

using namespace aotscope;

class ParetoOfWindow final : public ParetoCommand {
public:
    ParetoOfWindow(CLI::App& parent, char** argv) : ParetoCommand(parent), argv_(argv) {}

private:
    int runOnRanks(const Options& wanted) override { becomeEngine(argv_, wanted.torch); }

    char** argv_;
};

class WindowProgram final : public MainProgram {
public:
    WindowProgram(int argc, char** argv, std::string whyNoEngine)
        : argc_(argc), argv_(argv), whyNoEngine_(std::move(whyNoEngine)) {}

    std::vector<std::unique_ptr<Subcommand>> commands(CLI::App& parent) const override {
        std::vector<std::unique_ptr<Subcommand>> own;
        own.push_back(makeExportCommand(parent));
        own.push_back(std::make_unique<ParetoOfWindow>(parent, argv_));
        own.push_back(makeDiffCommand(parent));
        own.push_back(std::make_unique<ServeCommand>(parent));
        parent.get_subcommand("serve")->add_option(kWithoutEngine)->group("");
        for (const std::string name : kSubcommands)
            if (parent.get_subcommands([&](const CLI::App* known) { return known->get_name() == name; }).empty())
                parent.add_subcommand(name, "see 'aotscope " + name + " --help'")
                    ->preparse_callback([this](std::size_t) { becomeEngine(argv_, valueAmong(argv_, "--torch")); });
        return own;
    }
    void help() const override {
        try {
            becomeEngine(argv_, {});  // it describes all subcommands
        } catch (const Error&) {}
    }
    std::shared_ptr<const Engine> engine() const override {
        return whyNoEngine_.empty() ? makeEngine() : missingEngine(whyNoEngine_);
    }
    int runWithoutCommand(const CommandLine& line) const override {
        return showWindow(line.options, line.choosesCompiler, argc_, argv_);
    }

private:
    int argc_;
    char** argv_;
    std::string whyNoEngine_;  ///< of the command serve
};

/// Becomes the engine for the command serve, or returns why there is none; empty for other commands.
std::string whyItServesItself(char** argv) {
    if (!isServed(argv)) return {};
    std::string why = valueAmong(argv, kWithoutEngine);
    try {
        if (why.empty()) becomeEngine(argv, valueAmong(argv, "--torch"));
    } catch (const Error& e) {
        why = e.what();
    }
    return why;
}

}  // namespace

int main(int argc, char** argv) {
    std::string whyNoEngine = whyItServesItself(argv);
    confineServed(argv);
    runMain(WindowProgram(argc, argv, std::move(whyNoEngine)), argc, argv);
}
