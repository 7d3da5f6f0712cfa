#include "cli/exit_code.h"
#include "cli/option_flags.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "compile/compilers.h"
#include "io/tables/compiler_table.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

class CompilersCommand final : public Subcommand {
public:
    explicit CompilersCommand(CLI::App& parent)
        : Subcommand(parent, "compilers", "list the compilers and their settings",
                     "aotscope compilers --plugin ./libmine.so", Takes::noModel) {
        addOption(app_, optionNamed("--plugin"));
        format_.addTo(app_);
    }

    int run(const Options& options) override {
        requireUsed(options, {"--plugin", "--json", "--csv"});
        const std::vector<CompilerInfo> compilers = compilerList(options.compilers.plugins);
        format_.print(compilerTable(compilers), {{"schema", 1}}, compilerListJson(compilers));
        return kFine;
    }

private:
    TableFlags format_;
};

}  // namespace

std::unique_ptr<Subcommand> makeCompilersCommand(CLI::App& parent) {
    return std::make_unique<CompilersCommand>(parent);
}

}  // namespace aotscope
