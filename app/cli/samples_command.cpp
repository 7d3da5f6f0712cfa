#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "io/text_report.h"
#include "session/session.h"

#include <iostream>

namespace aotscope {

namespace {

class SamplesCommand final : public Subcommand {
public:
    explicit SamplesCommand(CLI::App& parent)
        : Subcommand(parent, "samples", "list the built-in models", "aotscope samples", Takes::noModel) {}

    int run(const Options& /*options*/) override {
        std::vector<std::vector<std::string>> rows = {{"sample", ""}};
        for (const auto& sample : sampleList()) rows.push_back({"sample:" + sample.name, sample.help});
        std::cout << textTable(rows);
        return kFine;
    }
};

}  // namespace

std::unique_ptr<Subcommand> makeSamplesCommand(CLI::App& parent) { return std::make_unique<SamplesCommand>(parent); }

}  // namespace aotscope
