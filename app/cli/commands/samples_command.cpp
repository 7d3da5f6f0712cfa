#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "session/described_tables.h"

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
        format_.print(samplesTable(), {{"schema", 1}});
        return kFine;
    }

private:
    TableFlags format_;
};

}  // namespace

std::unique_ptr<Subcommand> makeSamplesCommand(CLI::App& parent) { return std::make_unique<SamplesCommand>(parent); }

}  // namespace aotscope
