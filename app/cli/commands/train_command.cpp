#include "cli/exit_code.h"
#include "cli/launched_ranks.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "distributed/rank_process.h"
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
#include "support/json/message_members.h"

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

class TrainCommand final : public Subcommand {
public:
    explicit TrainCommand(CLI::App& parent);

    void check(Options& options) override;
    std::vector<NamedFile> otherFilesRead() const override { return {{"--data", training_.data}}; }
    std::vector<NamedFile> filesWritten() const override { return {{"--json", report_}, {"--csv", csv_}}; }
    int run(const Options& options) override;

private:
    bool manyRanks() const { return count_ > 0 || launched_.areThere(); }
    int runThreads(const Options& options) const;
    int runProcess(const Options& options, RankProcess& process) const;
    RankJob job() const;
    TrainRank rankOf(const RankRun& run) const;
    int finish(const RankRun& first, std::vector<TrainRank> ranks) const;
    nlohmann::json document(const RankRun& run) const;
    bool isApart(const RankRow& checked, const std::string& losses, const std::string& who) const;

    TrainOptions training_;
    std::filesystem::path report_, csv_;  ///< curves and figures, steps; empty: not written
    bool check_ = false;
    int count_ = 0;  ///< ranks in this process; 0: a single rank, or those of a launcher
    LaunchedRanks launched_;
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
    app_.add_option("--ranks", count_,
                    "train all N ranks of a distributed program in this process; {rank} in the names of MODEL, "
                    "--inputs, --weights, --data and --csv stands for a rank's number")
        ->type_name("N")
        ->check(CLI::Range(1, static_cast<int>(kMostRankThreads)));
    launched_.addTo(app_);
}

void TrainCommand::check(Options& options) {
    if (count_ == 0) launched_.check(options);
    else options.use("--rank-timeout");
    options.given->plan({GivenOptions::Purpose::run, GivenOptions::Purpose::kernels});
    options.use({"--steps", "--lr", "--optimizer", "--data", "--json", "--csv", "--check", "--ranks"});
    if (manyRanks() && count_ != 1) requireOwnFiles("--csv", csv_, "steps");
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

bool TrainCommand::isApart(const RankRow& checked, const std::string& losses, const std::string& who) const {
    if (!check_) return false;
    if (!losses.empty()) std::cout << who << losses << "\n";
    return !checked.ok() || !losses.empty();
}

/// Collects all ranks on the first.
int TrainCommand::finish(const RankRun& first, std::vector<TrainRank> ranks) const {
    std::vector<TrainRankRow> rows;
    std::vector<RankRow> checked;
    nlohmann::json documents = nlohmann::json::array();
    for (TrainRank& rank : ranks) {
        rows.push_back(std::move(rank.row));
        checked.push_back(std::move(rank.checked));
        documents.push_back(std::move(rank.document));
    }
    std::cout << "\n" << trainText(*first.training) << "\n";
    if (check_) std::cout << tableText(rankCheckTable(checked)) << "\n";
    std::cout << trainRanksText(rows);
    if (!report_.empty())
        writeFileAtomically(report_, jsonText({{"schema", kReportSchema}, {"ranks", std::move(documents)}}));
    bool apart = false;
    for (std::size_t rank = 0; rank < rows.size(); ++rank)
        apart = isApart(checked[rank], rows[rank].apart, "rank " + std::to_string(rank) + ": ") || apart;
    return apart ? kDifference : kFine;
}

int TrainCommand::runThreads(const Options& options) const {
    const std::vector<RankRun> runs = checkRanks(options, static_cast<std::size_t>(count_), job(), {},
                                                 [&](const std::vector<RankRun>&) { requireUsed(options); });
    std::vector<TrainRank> ranks;
    for (const RankRun& run : runs) {
        ranks.push_back(rankOf(run));
        if (!csv_.empty()) writeCsv(ofRank(csv_.string(), ranks.size() - 1), trainStepTable(run.training->steps));
    }
    return finish(runs.front(), std::move(ranks));
}

/// Each rank has the losses of its own batches.
int TrainCommand::runProcess(const Options& options, RankProcess& process) const {
    const RankRun run = checkRank(options, process, job(), [](const RankRun& mine) { requireUsed(mine.options); });
    if (!csv_.empty()) writeCsv(ofRank(csv_.string(), process.rank()), trainStepTable(run.training->steps));
    const TrainRank mine = rankOf(run);
    std::vector<TrainRank> ranks;
    for (const std::string& text :
         process.gather(jsonLine({{"row", trainRankRowJson(mine.row)},
                                  {"checked", tableJson(rankCheckTable({mine.checked})).front()},
                                  {"document", mine.document}}))) {
        ranks.push_back(readFromRank(ranks.size(), [&] {
            const nlohmann::json found = messageIn(text);
            return TrainRank{trainRankRowFrom(objectOf(found, "row")), rankRowFrom(objectOf(found, "checked")),
                             memberOf(found, "document")};
        }));
    }
    const int code = process.isFirst() ? finish(run, std::move(ranks)) : kFine;
    return process.anyRank(code != kFine) ? kDifference : kFine;
}

int TrainCommand::run(const Options& options) {
    if (count_ > 0) return runThreads(options);
    if (launched_.areThere())
        return launched_.run(options, [&](RankProcess& process) { return runProcess(options, process); });
    const auto session = openToRun(options, {}, "train");
    std::cout << graphsText(*session->record()) << compilersText(session->compilers({})) << "\n";
    const RankJob wanted = job();
    RankRun run{session->options(), session, {}, {}};
    if (check_) run.check = session->check({});
    run.training = session->train(training_, {}, wanted.listener);
    const TrainResult& result = *run.training;
    std::cout << "\n" << trainText(result) << recompilationsText(*session->record(), result.recompilations);
    if (check_) std::cout << "\n" << checkText(run.check);
    if (!csv_.empty()) writeCsv(csv_, trainStepTable(result.steps));
    if (!report_.empty()) {
        nlohmann::json whole = document(run);
        whole["schema"] = kReportSchema;
        writeFileAtomically(report_, jsonText(whole));
    }
    return isApart(rankRow(run.check, nullptr), lossesApart(result), "") ? kDifference : kFine;
}

}  // namespace

std::unique_ptr<Subcommand> makeTrainCommand(CLI::App& parent) { return std::make_unique<TrainCommand>(parent); }

}  // namespace aotscope
