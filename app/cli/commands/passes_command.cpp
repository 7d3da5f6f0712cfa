#include "cli/exit_code.h"
#include "cli/log_flag.h"
#include "cli/require_compiled.h"
#include "cli/subcommand.h"
#include "io/history_text.h"
#include "io/report.h"
#include "io/text_report.h"
#include "session/session.h"
#include "support/json/json_text.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace aotscope {

namespace {

class PassesCommand final : public Subcommand {
public:
    explicit PassesCommand(CLI::App& parent)
        : Subcommand(parent, "passes", "list the passes: operations before and after, changed, ms",
                     "aotscope passes sample:gpt2\n  aotscope passes graph_dump/ --node all_gather_3", Takes::model) {
        log_.addTo(app_);
        app_.add_option("--node", node_,
                        "print the history of this node instead: which pass introduced, changed or removed it")
            ->type_name("NODE");
        app_.add_flag("--json", json_, "print JSON");
    }

    int run(const Options& options) override {
        const auto record = open(options, {"--log", "--node", "--json"})->record();
        log_.print(*record);
        if (json_) std::cout << jsonText(json(record));
        else if (node_.empty()) std::cout << passesText(*record);
        else std::cout << historyText(*record, historyOfName(record, node_));
        if (record->crossCheck && !json_) std::cout << "\n" << crossCheckText(*record->crossCheck);
        requireCompiled(*record);
        return kFine;
    }

private:
    nlohmann::json json(const std::shared_ptr<const CompileRecord>& record) const {
        nlohmann::json document = {{"schema", kReportSchema}, {"model", record->model.name}};
        if (node_.empty()) document["passes"] = passesJson(*record);
        else document["history"] = historyJson(*record, historyOfName(record, node_));
        if (record->crossCheck) document["cross_check"] = crossCheckJson(*record->crossCheck);
        if (!record->error.empty()) document["error"] = record->error;
        return document;
    }

    bool json_ = false;
    LogFlag log_;
    std::string node_;
};

}  // namespace

std::unique_ptr<Subcommand> makePassesCommand(CLI::App& parent) { return std::make_unique<PassesCommand>(parent); }

}  // namespace aotscope
