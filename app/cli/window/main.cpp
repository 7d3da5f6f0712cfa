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
    WindowProgram(int argc, char** argv) : argc_(argc), argv_(argv) {}

    std::vector<std::unique_ptr<Subcommand>> commands(CLI::App& parent) const override {
        for (const char* name : {"run", "passes", "partition", "sweep", "train", "ranks", "debug", "minify", "compiles",
                                 "samples", "compilers", "ops"})
            parent.add_subcommand(name, "see 'aotscope " + std::string(name) + " --help'")
                ->preparse_callback([this](std::size_t) { becomeEngine(argv_, torchAmong(argv_)); });
        std::vector<std::unique_ptr<Subcommand>> drawing;
        drawing.push_back(makeExportCommand(parent));
        drawing.push_back(std::make_unique<ParetoOfWindow>(parent, argv_));
        drawing.push_back(makeDiffCommand(parent));
        drawing.push_back(std::make_unique<ServeCommand>(parent));
        CLI::App* serve = parent.get_subcommand("serve");
        serve->add_option(kWithoutEngine, whyNoEngine_)->group("");
        serve->callback([this] { becomeEngineIfThereIsOne(); });
        return drawing;
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
    void becomeEngineIfThereIsOne() const {
        try {
            if (whyNoEngine_.empty()) becomeEngine(argv_, torchAmong(argv_));
        } catch (const Error& e) {
            whyNoEngine_ = e.what();
        }
    }

    int argc_;
    char** argv_;
    mutable std::string whyNoEngine_;  ///< of the command serve
};

}  // namespace

int main(int argc, char** argv) { runMain(WindowProgram(argc, argv), argc, argv); }
