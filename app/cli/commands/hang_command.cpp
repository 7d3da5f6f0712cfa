#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "io/tables/hang_table.h"
#include "io/tables/table_text.h"
#include "load/flight_recorder/flight_reader.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>

namespace aotscope {

namespace {

class HangCommand final : public Subcommand {
public:
    explicit HangCommand(CLI::App& parent)
        : Subcommand(parent, "hang", "say which collective hangs, which ranks are missing, and what each rank does",
                     "aotscope hang dumps\n  aotscope hang nccl_trace_rank_0 nccl_trace_rank_1", Takes::noModel) {
        app_.add_option("DUMP", places_, "dumps of PyTorch's flight recorder, one of each rank, or a folder with them")
            ->required();
        format_.addTo(app_);
    }

    int run(const Options& options) override {
        requireUsed(options, {"--json", "--csv"});
        const HangReport report = findHangs(readFlightDumps(places_));
        if (format_.text()) std::cout << hangText(report) << "\n" << tableText(hangTable(report));
        else format_.print(hangTable(report), {{"schema", 1}, {"hangs", hangsJson(report)}});
        return kFine;
    }

private:
    static nlohmann::json hangsJson(const HangReport& report) {
        nlohmann::json list = nlohmann::json::array();
        for (const Hang& hang : report.hangs) {
            nlohmann::json waiting = nlohmann::json::array();
            for (const auto& [rank, entry] : hang.calls) waiting.push_back(rank);
            list.push_back({{"kind", name(hang.kind)},
                            {"group", hang.group},
                            {"description", hang.groupDescription},
                            {"operation", hang.call().operation},
                            {"number", hang.call().sequence},
                            {"called", std::move(waiting)},
                            {"missing", hang.missing},
                            {"differing", hang.differing},
                            {"without_dump", hang.withoutDump},
                            {"waiting_elsewhere", hang.waitingElsewhere}});
        }
        return list;
    }

    std::vector<std::filesystem::path> places_;
    TableFlags format_;
};

}  // namespace

std::unique_ptr<Subcommand> makeHangCommand(CLI::App& parent) { return std::make_unique<HangCommand>(parent); }

}  // namespace aotscope
