#include "cli/exit_code.h"
#include "cli/option_flags.h"
#include "cli/subcommand.h"
#include "compile/compilers.h"
#include "io/text_report.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace aotscope {

namespace {

class CompilersCommand final : public Subcommand {
public:
    explicit CompilersCommand(CLI::App& parent)
        : Subcommand(parent, "compilers", "list the compilers and their settings",
                     "aotscope compilers --plugin ./libmine.so", Takes::noModel) {
        addOption(app_, optionNamed("--plugin"));
    }

    int run(const Options& options) override {
        std::cout << compilerListText(compilerList(options.compilers.plugins));
        return kFine;
    }
};

}  // namespace

std::unique_ptr<Subcommand> makeCompilersCommand(CLI::App& parent) {
    return std::make_unique<CompilersCommand>(parent);
}

}  // namespace aotscope
