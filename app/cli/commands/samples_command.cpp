#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "io/text_report.h"
#include "session/session.h"
#include "support/json/json_text.h"

#include <iostream>

namespace aotscope {

namespace {

class SamplesCommand final : public Subcommand {
public:
    explicit SamplesCommand(CLI::App& parent)
        : Subcommand(parent, "samples", "list the built-in models", "aotscope samples", Takes::noModel) {
        app_.add_flag("--json", json_, "print JSON");
    }

    int run(const Options& options) override {
        requireUsed(options, {"--json"});
        if (json_) {
            nlohmann::json list = nlohmann::json::array();
            for (const auto& sample : sampleList())
                list.push_back({{"name", "sample:" + sample.name}, {"help", sample.help}});
            std::cout << jsonText({{"schema", 1}, {"samples", std::move(list)}});
            return kFine;
        }
        std::vector<std::vector<std::string>> rows = {{"sample", ""}};
        for (const auto& sample : sampleList()) rows.push_back({"sample:" + sample.name, sample.help});
        std::cout << textTable(rows);
        return kFine;
    }

private:
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Subcommand> makeSamplesCommand(CLI::App& parent) { return std::make_unique<SamplesCommand>(parent); }

}  // namespace aotscope
