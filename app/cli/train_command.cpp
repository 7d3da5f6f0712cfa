#include "cli/exit_code.h"
#include "cli/launched_ranks.h"
#include "cli/require_compiled.h"
#include "cli/subcommand.h"
#include "distributed/rank_process.h"
#include "io/recompilations_text.h"
#include "io/report.h"
#include "io/train_text.h"
#include "session/rank_runs.h"
#include "session/session.h"
#include "support/bounded_json.h"
#include "support/file.h"
#include "support/json_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

namespace aotscope {

namespace {

constexpr int kLines = 20;  ///< of the table, about

class TrainCommand final : public Subcommand {
public:
    explicit TrainCommand(CLI::App& parent);

    void check(Options& options) override { ranks_.check(app_, options, {}); }
    std::vector<NamedFile> otherFilesRead() const override { return {{"--data", training_.data}}; }
    std::vector<NamedFile> filesWritten() const override { return {{"--json", report_}, {"--csv", csv_}}; }
    int run(const Options& options) override;

private:
    int runRank(const Options& options, RankProcess& process) const;
    TrainResult train(const Session& session, const TrainOptions& training, bool prints,
                      const Progress& progress) const;
    nlohmann::json document(const Session& session, const TrainResult& result) const;

    TrainOptions training_;
    std::filesystem::path report_, csv_;  ///< curves and figures, steps; empty: not wanted
    LaunchedRanks ranks_;
};

TrainCommand::TrainCommand(CLI::App& parent)
    : Subcommand(parent, "train", "train a model, eager and compiled: losses, steps per second, memory",
                 "aotscope train sample:mlp --steps 1000 --lr 0.01", Takes::model) {
    app_.add_option("--steps", training_.steps, "number of steps")
        ->type_name("N")
        ->check(CLI::Range(1, 100'000'000))
        ->capture_default_str();
    app_.add_option("--lr", training_.rate, "learning rate")->check(CLI::NonNegativeNumber)->capture_default_str();
    app_.add_option_function<std::string>(
            "--optimizer", [this](const std::string& name) { training_.optimizer = *optimizerFromName(name); },
            "sgd, or adam")
        ->check(CLI::IsMember({"sgd", "adam"}))
        ->default_str("sgd");
    app_.add_option_function<std::string>(
            "--data", [this](const std::string& data) { training_.data = data == "random" ? "" : data; },
            "random: new random inputs for each step, as the input spec says; or a list of batches saved by "
            "torch.save, each as for --inputs")
        ->type_name("random|FILE")
        ->default_str("random");
    app_.add_option("--json", report_, "write curves and results as JSON")->type_name("FILE.json");
    app_.add_option("--csv", csv_, "write a table with one line per step")->type_name("FILE.csv");
    ranks_.addTo(app_);
}

nlohmann::json TrainCommand::document(const Session& session, const TrainResult& result) const {
    return {{"model", session.record()->model.name},
            {"device", session.options().device},
            {"seed", session.options().seed},
            {"training", trainJson(result)},
            {"recompilations", recompilationsJson(*session.record(), result.recompilations)}};
}

TrainResult TrainCommand::train(const Session& session, const TrainOptions& training, bool prints,
                                const Progress& progress) const {
    if (const std::string why = session.whyNotExecutable(); !why.empty()) throw Error("train: " + why);
    requireCompiled(*session.record());
    if (prints) std::cout << trainHeading();
    const std::size_t last = static_cast<std::size_t>(training.steps) - 1;
    const std::size_t every = std::max<std::size_t>(1, static_cast<std::size_t>(training.steps) / kLines);
    std::size_t step = 0;
    return session.train(training, progress, [&](const TrainStep& at) {
        if (prints && (step == 0 || step == last || (step + 1) % every == 0))
            std::cout << trainLine(step, at) << std::flush;
        ++step;
    });
}

/// The losses are those of each rank's own batches.
int TrainCommand::runRank(const Options& options, RankProcess& process) const {
    const auto ofThis = [&](const std::filesystem::path& file) { return ofRank(file.string(), process.rank()); };
    if (!csv_.empty() && ofThis(csv_) == csv_)
        throw UsageError("--csv " + csv_.string() + ": every rank has steps of its own; put {rank} into the name");
    TrainOptions training = training_;
    training.data = ofThis(training_.data);
    const Options own = optionsOfRank(options, process.rank(), process.count());
    std::shared_ptr<const Session> session;
    TrainResult result;
    process.run([&](const Progress& progress) {
        session = Session::open(own, progress);
        result = train(*session, training, process.isFirst(), progress);
        if (!csv_.empty()) writeFileAtomically(ofThis(csv_), trainCsv(result));
    });
    nlohmann::json mine = {{"cells", trainRankCells(result)}};
    if (!report_.empty()) mine["document"] = document(*session, result);
    std::vector<std::vector<std::string>> rows;
    nlohmann::json documents = nlohmann::json::array();
    for (const std::string& text : process.gather(jsonLine(mine))) {
        nlohmann::json found = parseBounded(text);
        rows.push_back(found.at("cells").get<std::vector<std::string>>());
        if (!report_.empty()) documents.push_back(std::move(found.at("document")));
    }
    if (!process.isFirst()) return kFine;
    std::cout << "\n" << trainText(result) << "\n" << trainRanksText(rows);
    if (!report_.empty())
        writeFileAtomically(report_, jsonText({{"schema", kReportSchema}, {"ranks", std::move(documents)}}));
    return kFine;
}

int TrainCommand::run(const Options& options) {
    if (ranks_.areThere()) return ranks_.run(options, [&](RankProcess& process) { return runRank(options, process); });
    const auto session = Session::open(options, {});
    const TrainResult result = train(*session, training_, true, {});
    std::cout << "\n" << trainText(result) << recompilationsText(*session->record(), result.recompilations);
    if (!csv_.empty()) writeFileAtomically(csv_, trainCsv(result));
    if (!report_.empty()) {
        nlohmann::json whole = document(*session, result);
        whole["schema"] = kReportSchema;
        writeFileAtomically(report_, jsonText(whole));
    }
    return kFine;
}

}  // namespace

std::unique_ptr<Subcommand> makeTrainCommand(CLI::App& parent) { return std::make_unique<TrainCommand>(parent); }

}  // namespace aotscope
