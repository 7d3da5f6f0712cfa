#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "session/session.h"

namespace aotscope {

namespace {

class SamplesCommand final : public Subcommand {
public:
    explicit SamplesCommand(CLI::App& parent)
        : Subcommand(parent, "samples", "list the built-in models", "aotscope samples", Takes::noModel) {
        format_.addTo(app_);
    }

    int run(const Options& options) override {
        requireUsed(options, {"--json", "--csv"});
        Table table{"samples",
                    {{"name", "sample", "what to open"}, {"help", "about", "what the model is, and what it shows"}}};
        for (const auto& sample : sampleList()) table.rows.push_back({{{"sample:" + sample.name}, {sample.help}}});
        format_.print(table, {{"schema", 1}});
        return kFine;
    }

private:
    TableFlags format_;
};

}  // namespace

std::unique_ptr<Subcommand> makeSamplesCommand(CLI::App& parent) { return std::make_unique<SamplesCommand>(parent); }

}  // namespace aotscope
