#include "cli/engine/log_flag.h"
#include "cli/exit_code.h"
#include "cli/require_compiled.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "io/history_text.h"
#include "io/report.h"
#include "io/tables/pass_table.h"
#include "io/text_report.h"
#include "session/session.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace aotscope {

namespace {

class PassesCommand final : public Subcommand {
public:
    explicit PassesCommand(CLI::App& parent)
        : Subcommand(parent, "passes", "list the passes: operations before and after, changes, times",
                     "aotscope passes sample:gpt2\n  aotscope passes graph_dump/ --node all_gather_3", Takes::model) {
        log_.addTo(app_);
        app_.add_option("--node", node_,
                        "print the history of this node instead: which passes introduced, changed or removed it")
            ->type_name("NODE");
        format_.addTo(app_);
    }

    int run(const Options& options) override {
        const auto record = open(options, {"--log", "--node", "--json", "--csv"})->record();
        log_.print(*record);
        if (!format_.text()) {
            format_.print(node_.empty() ? passTable(*record) : historyTable(*record, historyOfName(record, node_)),
                          besideRows(*record));
        } else {
            std::cout << (node_.empty() ? passesText(*record) : historyText(*record, historyOfName(record, node_)));
            if (record->crossCheck) std::cout << "\n" << crossCheckText(*record->crossCheck);
        }
        requireCompiled(*record);
        return kFine;
    }

private:
    static nlohmann::json besideRows(const CompileRecord& record) {
        nlohmann::json document = {{"schema", kReportSchema}, {"model", record.model.name}};
        if (record.crossCheck) document["cross_check"] = crossCheckJson(*record.crossCheck);
        if (!record.error.empty()) document["error"] = record.error;
        return document;
    }

    TableFlags format_;
    LogFlag log_;
    std::string node_;
};

}  // namespace

std::unique_ptr<Subcommand> makePassesCommand(CLI::App& parent) { return std::make_unique<PassesCommand>(parent); }

}  // namespace aotscope
