#include "cli/exit_code.h"
#include "cli/option_flags.h"
#include "cli/subcommand.h"
#include "compile/compilers.h"
#include "io/text_report.h"
#include "support/json/json_text.h"

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
        app_.add_flag("--json", json_, "print JSON");
    }

    int run(const Options& options) override {
        requireUsed(options, {"--plugin", "--json"});
        const std::vector<CompilerInfo> compilers = compilerList(options.compilers.plugins);
        std::cout << (json_ ? jsonText(json(compilers)) : compilerListText(compilers));
        return kFine;
    }

private:
    static nlohmann::json json(const std::vector<CompilerInfo>& compilers) {
        nlohmann::json list = nlohmann::json::array();
        for (const CompilerInfo& compiler : compilers) {
            nlohmann::json settings = nlohmann::json::array();
            for (const CompilerSetting& setting : compiler.settings)
                settings.push_back({{"name", setting.name},
                                    {"default", setting.standard},
                                    {"help", setting.help},
                                    {"values", setting.values}});
            list.push_back({{"name", compiler.name}, {"help", compiler.help}, {"settings", std::move(settings)}});
        }
        return {{"schema", 1}, {"compilers", std::move(list)}};
    }

    bool json_ = false;
};

}  // namespace

std::unique_ptr<Subcommand> makeCompilersCommand(CLI::App& parent) {
    return std::make_unique<CompilersCommand>(parent);
}

}  // namespace aotscope
