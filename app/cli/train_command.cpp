#include "cli/exit_code.h"
#include "cli/require_compiled.h"
#include "cli/subcommand.h"
#include "io/recompilations_text.h"
#include "io/report.h"
#include "io/train_text.h"
#include "session/session.h"
#include "support/file.h"

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

    std::vector<NamedFile> otherFilesRead() const override { return {{"--data", training_.data}}; }
    std::vector<NamedFile> filesWritten() const override { return {{"--json", report_}, {"--csv", csv_}}; }
    int run(const Options& options) override;

private:
    void write(const Session& session, const TrainResult& result) const;

    TrainOptions training_;
    std::filesystem::path report_, csv_;  ///< curves and figures, steps; empty: not wanted
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
}

void TrainCommand::write(const Session& session, const TrainResult& result) const {
    if (!csv_.empty()) writeFileAtomically(csv_, trainCsv(result));
    if (report_.empty()) return;
    const nlohmann::json document = {{"schema", kReportSchema},
                                     {"model", session.record()->model.name},
                                     {"device", session.options().device},
                                     {"seed", session.options().seed},
                                     {"training", trainJson(result)},
                                     {"recompilations", recompilationsJson(*session.record(), result.recompilations)}};
    writeFileAtomically(report_, jsonText(document));
}

int TrainCommand::run(const Options& options) {
    const auto session = Session::open(options, {});
    if (const std::string why = session->whyNotExecutable(); !why.empty()) throw Error("train: " + why);
    requireCompiled(*session->record());
    std::cout << trainHeading();
    const std::size_t last = static_cast<std::size_t>(training_.steps) - 1;
    const std::size_t every = std::max<std::size_t>(1, static_cast<std::size_t>(training_.steps) / kLines);
    std::size_t step = 0;
    const TrainResult result = session->train(training_, {}, [&](const TrainStep& at) {
        if (step == 0 || step == last || (step + 1) % every == 0) std::cout << trainLine(step, at) << std::flush;
        ++step;
    });
    std::cout << "\n" << trainText(result) << recompilationsText(*session->record(), result.recompilations);
    write(*session, result);
    return kFine;
}

}  // namespace

std::unique_ptr<Subcommand> makeTrainCommand(CLI::App& parent) { return std::make_unique<TrainCommand>(parent); }

}  // namespace aotscope
