#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "device/cuda_driver.h"
#include "device/device_name.h"
#include "io/report.h"
#include "io/tables/fit_table.h"
#include "record/options/option_values.h"
#include "session/engine.h"
#include "session/fit/fit_question.h"
#include "support/enumerators.h"
#include "support/joined.h"
#include "support/names.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

namespace aotscope {

namespace {

class FitCommand final : public Subcommand {
public:
    explicit FitCommand(CLI::App& parent);

    void check(Options& options) override;
    int run(const Options& options) override;

private:
    void takeDevice(std::string& name);
    std::int64_t memoryOf(const std::string& device) const;
    std::string deviceText(const std::string& device) const;

    FitQuestion question_;
    BatchRange range_;
    std::string memory_;  ///< empty: that of the device
    TableFlags format_;
};

/// "--device h100" traces for CUDA, and estimates by the data sheet.
FitCommand::FitCommand(CLI::App& parent)
    : Subcommand(parent, "fit", "predict memory and time of a training step, and the largest batch that fits",
                 "aotscope fit sample:gpt2 --device h100 --optimizer adamw --batch 1..64", Takes::model) {
    app_.get_option("--device")
        ->description("cpu, cuda or cuda:N of this machine, or a GPU by its data sheet: " +
                      joined(dataSheetNames(), ", "))
        ->transform(CLI::Validator(
            [this](std::string& name) {
                takeDevice(name);
                return std::string();
            },
            ""));
    app_.add_option_function<std::string>(
            "--optimizer", [this](const std::string& name) { question_.optimizer = &optimizerFormulaNamed(name); },
            "optimizer with its defaults")
        ->check(CLI::IsMember(optimizerNames()))
        ->default_str(std::string(question_.optimizer->name));
    app_.add_option_function<std::string>(
            "--batch", [this](const std::string& text) { range_ = parseBatchRange(text); },
            "batch sizes, as in 1..64; with the name of a size, as in x.0=1..64; without a name, the batch is the "
            "first dimension that all tensor inputs share; default: from 1 on, until one does not fit")
        ->type_name("[NAME=]MIN..MAX");
    app_.add_option_function<std::string>(
            "--loss", [this](const std::string& text) { question_.loss = *enumeratorNamed<AssumedLoss>(text); },
            "loss of the outputs of a model that computes none; 'train' has mean-square")
        ->check(CLI::IsMember({"cross-entropy", "mean-square"}))
        ->default_str(std::string(name(question_.loss)));
    app_.add_option("--memory", memory_, "memory to fit into, as in 80GB; default: that of the device")
        ->type_name("SIZE");
    format_.addTo(app_);
}

void FitCommand::takeDevice(std::string& name) {
    question_.sheet = dataSheetNamed(name);
    try {
        name = question_.sheet ? "cuda" : deviceFromName(name);
    } catch (const UsageError& e) {
        throw UsageError(e.what() + std::string(", or a GPU by its data sheet: ") + quotedNames(dataSheetNames()));
    }
}

void FitCommand::check(Options& options) {
    options.given->plan({GivenOptions::Purpose::kernels, GivenOptions::Purpose::estimate});
    if (options.inference) throw UsageError("--inference: a training step needs gradients; remove this option");
    if (!memory_.empty()) parseMemory(memory_, "--memory", 1);
}

std::int64_t FitCommand::memoryOf(const std::string& device) const {
    if (!memory_.empty()) return parseMemory(memory_, "--memory", 1);
    if (const std::int64_t known = memoryFor(question_, device); known > 0) return known;
    const std::string gpu = deviceText(device);
    const DataSheet* const sheet = dataSheetOf(gpu);
    if (!sheet) throw UsageError("--device " + device + ": the memory of '" + gpu + "' is not known; give --memory");
    return static_cast<std::int64_t>(sheet->memory);
}

std::string FitCommand::deviceText(const std::string& device) const {
    if (question_.sheet) return std::string(question_.sheet->title);
    if (device == "cpu") return device;
    const std::vector<std::string>& gpus = cudaDriver().gpus;
    const auto index = static_cast<std::size_t>(std::stoul(device.substr(device.find(':') + 1)));
    return index < gpus.size() ? gpus[index] : engine()->machine(device).assumed;
}

int FitCommand::run(const Options& options) {
    const auto session = openQuietly(options, {"--optimizer", "--loss", "--batch", "--memory", "--json", "--csv"}, {});
    if (!question_.sheet) warn(*session->record());  // that the GPU is simulated goes without saying
    requirePartition(*session->record());
    FitQuestion question = question_;
    question.limit = memoryOf(options.device);
    const VaryingBatch batch = varyBatch(*engine(), session, range_.name, {});
    const BatchSearch found = answerFit(*engine(), batch, range_, question, {});
    nlohmann::json beside = fitJson(found);
    beside["schema"] = kReportSchema;
    beside["model"] = session->record()->model.name;
    beside["device"] = deviceText(options.device);
    beside["optimizer"] = question_.optimizer->name;
    format_.print(fitTable(found), beside);
    return kFine;
}

}  // namespace

std::unique_ptr<Subcommand> makeFitCommand(CLI::App& parent) { return std::make_unique<FitCommand>(parent); }

}  // namespace aotscope
