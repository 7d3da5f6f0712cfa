#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "cost/book/known_operators.h"
#include "io/tables/operator_cost_table.h"
#include "session/engine.h"
#include "support/names.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace aotscope {

namespace {

class CostsCommand final : public Subcommand {
public:
    explicit CostsCommand(CLI::App& parent)
        : Subcommand(parent, "costs", "list what each operation takes on this machine, and how that is known",
                     "aotscope costs sample:gpt2 --measure", Takes::model) {
        app_.add_flag("--measure", measure_,
                      "run each operation by itself that was not measured before, and keep what it takes");
        format_.addTo(app_);
    }

    void check(Options& options) override {
        options.given->plan(GivenOptions::Purpose::estimate);
        if (measure_) options.given->plan(GivenOptions::Purpose::run);
    }

    int run(const Options& options) override {
        const std::initializer_list<std::string_view> own = {"--measure", "--json", "--csv"};
        const auto session = measure_ ? openToRun(options, own, "costs --measure") : open(options, own);
        nlohmann::json beside = {{"schema", 1}};
        if (measure_) {
            const MeasuredOperators found = session->measureOperators(Progress());
            session->learnCosts(Progress());
            if (!format_.text()) addLeft(found, beside);
            else std::cout << textOf(found) << "\n";
        }
        if (const std::string note = operatorBookNote(options.device); !note.empty())
            std::cerr << "aotscope: " << note << "\n";
        format_.print(operatorCostTable(*session->record(), engine()->machine(options.device)), beside);
        return kFine;
    }

private:
    static std::string textOf(const MeasuredOperators& found) {
        std::string text =
            "measured " + counted(found.measured, "operation") + ", " + std::to_string(found.known) + " known before\n";
        for (const MeasuredOperators::Left& left : found.left)
            text += "not run by itself: " + left.signature + ": " + left.why + "\n";
        return text;
    }
    static void addLeft(const MeasuredOperators& found, nlohmann::json& beside) {
        beside["measured"] = found.measured;
        beside["known_before"] = found.known;
        nlohmann::json& list = beside["not_run"] = nlohmann::json::array();
        for (const MeasuredOperators::Left& left : found.left)
            list.push_back({{"signature", left.signature}, {"why", left.why}});
    }

    bool measure_ = false;
    TableFlags format_;
};

}  // namespace

std::unique_ptr<Subcommand> makeCostsCommand(CLI::App& parent) { return std::make_unique<CostsCommand>(parent); }

}  // namespace aotscope
