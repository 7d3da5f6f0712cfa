#include "cli/confined_serve.h"
#include "cli/exit_code.h"
#include "cli/main_program.h"
#include "cli/report_errors.h"
#include "compile/compilers.h"
#include "partition/plan_function.h"
#include "remote/engine_program.h"
#include "session/engine.h"

namespace {

using namespace aotscope;

class EngineProgram final : public MainProgram {
public:
    explicit EngineProgram(char** argv) : argv_(argv) {}

    std::string torchVersion() const override { return aotscope::torchVersion(); }
    void initialize() const override {
        endPreload();
        const std::string torch = valueAmong(argv_, "--torch");
        if (!isEngineFor(torch, torchVersion())) becomeEngine(argv_, torch);
        initializeTorch();
    }
    std::vector<std::unique_ptr<Subcommand>> commands(CLI::App& parent) const override {
        std::vector<std::unique_ptr<Subcommand>> commands;
        for (const auto make :
             {makeRunCommand,    makeExportCommand,   makePassesCommand,   makePartitionCommand, makeParetoCommand,
              makeSweepCommand,  makeTrainCommand,    makeDiffCommand,     makeRanksCommand,     makeDebugCommand,
              makeMinifyCommand, makeCompilesCommand, makeSamplesCommand,  makeCompilersCommand, makeOpsCommand,
              makeCostsCommand,  makeFitCommand,      makeSnapshotCommand, makeHangCommand,      makeServeCommand})
            commands.push_back(make(parent));
        return commands;
    }
    void check(const Options& options) const override {
        checkCompilers(options.compilers);
        checkPartitionFunction(options.partition.function);
    }
    void showLog() const override { showTorchLog(); }
    std::shared_ptr<const Engine> engine() const override { return engineHere(); }
    int runWithoutCommand(const CommandLine& /*line*/) const override {
        sayError(
            "this program has no window, which the program aotscope opens where it is built with Qt; use a "
            "subcommand, see 'aotscope --help'");
        return kWrongUsage;
    }

private:
    char** argv_;
};

}  // namespace

int main(int argc, char** argv) {
    confineServed(argv);
    runMain(EngineProgram(argv), argc, argv);
}
