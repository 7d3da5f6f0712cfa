#include "cli/train_command.h"

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

void write(const Command& command, const Session& session, const TrainResult& result) {
    if (!command.csv.empty()) writeFileAtomically(command.csv, trainCsv(result));
    if (command.report.empty()) return;
    nlohmann::json document = {{"schema", kReportSchema},
                               {"model", session.record()->model.name},
                               {"device", session.options().device},
                               {"seed", session.options().seed},
                               {"training", trainJson(result)}};
    writeFileAtomically(command.report, jsonText(document));
}

}  // namespace

void addTrainFlags(CLI::App& train, Command& command) {
    train.add_option("--steps", command.training.steps, "how many steps")
        ->type_name("N")
        ->check(CLI::Range(1, 100'000'000))
        ->capture_default_str();
    train.add_option("--lr", command.training.rate, "learning rate")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    train
        .add_option_function<std::string>(
            "--optimizer",
            [&command](const std::string& name) { command.training.optimizer = *optimizerFromName(name); },
            "sgd, or adam")
        ->check(CLI::IsMember({"sgd", "adam"}))
        ->default_str("sgd");
    train
        .add_option_function<std::string>(
            "--data", [&command](const std::string& data) { command.training.data = data == "random" ? "" : data; },
            "random: what the input spec draws, drawn anew for each step; or a list of batches saved by torch.save, "
            "each "
            "as --inputs takes it")
        ->type_name("random|FILE")
        ->default_str("random");
    train.add_option("--json", command.report, "write the curves and figures as JSON")->type_name("FILE.json");
    train.add_option("--csv", command.csv, "write one line for each step")->type_name("FILE.csv");
}

int trainModel(const Command& command) {
    const auto session = Session::open(command.options, {});
    if (const std::string why = session->whyNotExecutable(); !why.empty()) throw Error("train: " + why);
    if (!session->record()->error.empty()) throw Error(session->record()->error);
    std::cout << trainHeading();
    const std::size_t last = static_cast<std::size_t>(command.training.steps) - 1;
    const std::size_t every = std::max<std::size_t>(1, static_cast<std::size_t>(command.training.steps) / kLines);
    std::size_t step = 0;
    const TrainResult result = session->train(command.training, {}, [&](const TrainStep& at) {
        if (step == 0 || step == last || (step + 1) % every == 0) std::cout << trainLine(step, at) << std::flush;
        ++step;
    });
    std::cout << "\n" << trainText(result);
    write(command, *session, result);
    return kFine;
}

}  // namespace aotscope
