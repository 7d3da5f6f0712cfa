#include "cli/engine/rank_flags.h"
#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "io/differences/recompilations_text.h"
#include "io/report.h"
#include "io/tables/rank_tables.h"
#include "io/tables/table_text.h"
#include "io/tables/train_tables.h"
#include "io/text_report.h"
#include "io/train_text.h"
#include "session/ranks/rank_runs.h"
#include "session/session.h"
#include "support/file.h"
#include "support/json/json_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>

namespace aotscope {

namespace {

/// The results that each rank sends to the first.
struct TrainRank {
    TrainRankRow row;
    RankRow checked;
    nlohmann::json document;  ///< null: no report
};

nlohmann::json trainRankJson(const TrainRank& rank) {
    return {{"row", trainRankRowJson(rank.row)},
            {"checked", tableJson(rankCheckTable({rank.checked})).front()},
            {"document", rank.document}};
}

TrainRank trainRankFrom(const nlohmann::json& told) {
    return {trainRankRowFrom(objectOf(told, "row")), rankRowFrom(objectOf(told, "checked")),
            memberOf(told, "document")};
}

class TrainCommand final : public Subcommand {
public:
    explicit TrainCommand(CLI::App& parent);

    void check(Options& options) override;
    std::vector<NamedFile> otherFilesRead() const override { return {{"--data", training_.data}}; }
    std::vector<NamedFile> filesWritten() const override { return {{"--json", report_}, {"--csv", csv_}}; }
    int run(const Options& options) override;

private:
    std::shared_ptr<const Ranks> compile(const Options& options, RankProcess* process) const;
    RankJob job() const;
    TrainRank rankOf(const RankRun& run) const;
    nlohmann::json document(const RankRun& run) const;
    void show(const RankRun& first, const std::vector<TrainRank>& ranks) const;
    void writeSteps(const RankRun& run) const;
    void writeReport(const std::vector<TrainRank>& ranks) const;
    bool areApart(const std::vector<TrainRank>& ranks) const;

    TrainOptions training_;
    std::filesystem::path report_, csv_;  ///< curves and figures, steps; empty: not written
    bool check_ = false;
    RankFlags ranks_;
};

TrainCommand::TrainCommand(CLI::App& parent)
    : Subcommand(parent, "train", "train a model, eager and compiled: losses, steps per second, memory",
                 "aotscope train sample:mlp --steps 1000 --lr 0.01", Takes::model) {
    app_.add_option("--steps", training_.steps, "number of steps")
        ->type_name("N")
        ->check(CLI::Range(1, 100'000'000))
        ->capture_default_str();
    app_.add_option("--lr", training_.rate, "learning rate")
        ->type_name("RATE")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app_.add_option_function<std::string>(
            "--optimizer", [this](const std::string& name) { training_.optimizer = *optimizerFromName(name); },
            "optimizer that updates the parameters")
        ->check(CLI::IsMember({"sgd", "adam"}))
        ->default_str("sgd");
    app_.add_option_function<std::string>(
            "--data", [this](const std::string& data) { training_.data = data == "random" ? "" : data; },
            "random: new random inputs for each step, as in the input spec; FILE: a list of batches saved by "
            "torch.save, each as for --inputs")
        ->type_name("random|FILE")
        ->default_str("random");
    app_.add_option("--json", report_, "write curves and results as JSON")->type_name("FILE.json");
    addCsvFile(app_, csv_, "write a table with one line per step");
    app_.add_flag("--check", check_,
                  "first compare a step with eager, like 'run --check'; exit code 3 if it differs, or if the losses "
                  "differ by more than 0.1 %");
    ranks_.addTo(app_,
                 "train all N ranks of a distributed program in this process; {rank} in the names of MODEL, --inputs, "
                 "--weights, --data and --csv stands for a rank's number");
}

void TrainCommand::check(Options& options) {
    ranks_.check(options);
    options.given->plan({GivenOptions::Purpose::run, GivenOptions::Purpose::kernels});
    options.use({"--steps", "--lr", "--optimizer", "--data", "--json", "--csv", "--check"});
    if (ranks_.given() && ranks_.count() != 1) requireOwnFiles("--csv", csv_, "steps");
}

nlohmann::json TrainCommand::document(const RankRun& run) const {
    nlohmann::json whole = {
        {"model", run.session->record()->model.name},
        {"device", run.options.device},
        {"seed", run.options.seed},
        {"training", trainJson(*run.training)},
        {"recompilations", recompilationsJson(*run.session->record(), run.training->recompilations)}};
    if (check_)
        whole["check"] = {{"ok", run.check.verdict() == CheckVerdict::equal},
                          {"verdict", name(run.check.verdict())},
                          {"outputs_max_error", run.check.outputsMaxError},
                          {"gradients_max_error", run.check.gradsMaxError}};
    return whole;
}

/// Prints the steps of the first rank while they are made.
RankJob TrainCommand::job() const {
    const auto steps = static_cast<std::size_t>(training_.steps);
    return {.training = training_,
            .listener =
                [steps, step = std::size_t{0}](const TrainStep& at) mutable {
                    if (step == 0) std::cout << trainHeading();
                    if (isTrainStepShown(step, steps)) std::cout << trainLine(step, at) << std::flush;
                    ++step;
                },
            .check = check_};
}

TrainRank TrainCommand::rankOf(const RankRun& run) const {
    return {trainRankRow(*run.training), rankRow(run.check, nullptr),
            report_.empty() ? nlohmann::json() : document(run)};
}

/// A single rank is not numbered.
bool TrainCommand::areApart(const std::vector<TrainRank>& ranks) const {
    bool apart = false;
    for (std::size_t rank = 0; check_ && rank < ranks.size(); ++rank) {
        const std::string& losses = ranks[rank].row.apart;
        if (!losses.empty())
            std::cout << (ranks_.given() ? "rank " + std::to_string(rank) + ": " : std::string()) << losses << "\n";
        apart = apart || !ranks[rank].checked.ok() || !losses.empty();
    }
    return apart;
}

void TrainCommand::show(const RankRun& first, const std::vector<TrainRank>& ranks) const {
    std::cout << "\n" << trainText(*first.training);
    if (!ranks_.given()) {
        std::cout << recompilationsText(*first.session->record(), first.training->recompilations);
        if (check_) std::cout << "\n" << checkText(first.check);
        return;
    }
    std::vector<TrainRankRow> rows;
    std::vector<RankRow> checked;
    for (const TrainRank& rank : ranks) rows.push_back(rank.row), checked.push_back(rank.checked);
    std::cout << "\n";
    if (check_) std::cout << tableText(rankCheckTable(checked)) << "\n";
    std::cout << trainRanksText(rows);
}

void TrainCommand::writeReport(const std::vector<TrainRank>& ranks) const {
    nlohmann::json report = ranks.front().document;
    if (ranks_.given()) {
        report = {{"ranks", nlohmann::json::array()}};
        for (const TrainRank& rank : ranks) report["ranks"].push_back(rank.document);
    }
    report["schema"] = kReportSchema;
    writeFileAtomically(report_, jsonText(report));
}

std::shared_ptr<const Ranks> TrainCommand::compile(const Options& options, RankProcess* process) const {
    if (!ranks_.given()) {
        const auto session = openToRun(options, {}, "train");
        std::cout << graphsText(*session->record()) << compilersText(session->compilers({})) << "\n";
        return singleRank(session);
    }
    const auto ranks = ranks_.compile(options, process);
    requireUsed(options);
    return ranks;
}

/// Each rank has the losses of its own batches.
void TrainCommand::writeSteps(const RankRun& run) const {
    const auto rank = static_cast<std::size_t>(run.options.world.rank);
    const std::string file = ranks_.given() ? ofRank(csv_.string(), rank) : csv_.string();
    if (!file.empty()) writeCsv(file, trainStepTable(run.training->steps));
}

int TrainCommand::run(const Options& options) {
    return ranks_.run(options, [&](RankProcess* process) {
        const std::vector<RankRun> runs = compile(options, process)->run(job(), {});
        std::vector<TrainRank> ranks;
        for (const RankRun& run : runs) ranks.push_back(rankOf(run));
        ranks = ofAllRanks(process, std::move(ranks), trainRankJson, trainRankFrom);
        if (!ranks.empty()) show(runs.front(), ranks);
        for (const RankRun& run : runs) writeSteps(run);
        if (!ranks.empty() && !report_.empty()) writeReport(ranks);
        const bool apart = areApart(ranks);
        return (process ? process->anyRank(apart) : apart) ? kDifference : kFine;
    });
}

}  // namespace

std::unique_ptr<Subcommand> makeTrainCommand(CLI::App& parent) { return std::make_unique<TrainCommand>(parent); }

}  // namespace aotscope
