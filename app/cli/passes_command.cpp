#include "cli/exit_code.h"
#include "cli/log_flag.h"
#include "cli/require_compiled.h"
#include "cli/subcommand.h"
#include "io/text_report.h"
#include "session/session.h"

#include <iostream>

namespace aotscope {

namespace {

class PassesCommand final : public Subcommand {
public:
    explicit PassesCommand(CLI::App& parent)
        : Subcommand(parent, "passes", "list the passes: operations before and after, changed, ms",
                     "aotscope passes sample:gpt2", Takes::model) {
        log_.addTo(app_);
    }

    int run(const Options& options) override {
        const auto record = Session::open(options, {})->record();
        log_.print(*record);
        std::cout << passesText(*record);
        if (record->crossCheck) std::cout << "\n" << crossCheckText(*record->crossCheck);
        requireCompiled(*record);
        return kFine;
    }

private:
    LogFlag log_;
};

}  // namespace

std::unique_ptr<Subcommand> makePassesCommand(CLI::App& parent) { return std::make_unique<PassesCommand>(parent); }

}  // namespace aotscope
