#include "cli/commands/varying_batch.h"
#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "cost/book/known_operators.h"
#include "cost/estimated_times.h"
#include "cost/fit/batch_search.h"
#include "cost/fit/data_sheet.h"
#include "device/cuda_driver.h"
#include "device/device_name.h"
#include "io/report.h"
#include "io/tables/fit_table.h"
#include "record/options/option_values.h"
#include "record/record_at.h"
#include "session/engine.h"
#include "support/enumerators.h"
#include "support/joined.h"
#include "support/names.h"
#include "support/resident_memory.h"

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
    MachineModel machineOf(const std::string& device) const;
    TrainingStep stepAt(const Session& session, const SymbolValues& sizes, const MachineModel& machine) const;
    std::string whatIsLeftOut(const BatchRange& part) const;
    BatchSearch search(const VaryingBatch& batch, std::int64_t limit) const;

    const DataSheet* sheet_ = nullptr;  ///< named by --device; null: a device of this machine
    const OptimizerFormula* optimizer_ = &optimizerFormulaNamed("adamw");
    AssumedLoss loss_ = AssumedLoss::crossEntropy;
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
            "--optimizer", [this](const std::string& name) { optimizer_ = &optimizerFormulaNamed(name); },
            "optimizer with its defaults")
        ->check(CLI::IsMember(optimizerNames()))
        ->default_str(std::string(optimizer_->name));
    app_.add_option_function<std::string>(
            "--batch", [this](const std::string& text) { range_ = parseBatchRange(text); },
            "batch sizes, as in 1..64; with the name of a size, as in x.0=1..64; without a name, the batch is the "
            "first dimension that all tensor inputs share; default: from 1 on, until one does not fit")
        ->type_name("[NAME=]MIN..MAX");
    app_.add_option_function<std::string>(
            "--loss", [this](const std::string& text) { loss_ = *enumeratorNamed<AssumedLoss>(text); },
            "loss of the outputs of a model that computes none; 'train' has mean-square")
        ->check(CLI::IsMember({"cross-entropy", "mean-square"}))
        ->default_str(std::string(name(loss_)));
    app_.add_option("--memory", memory_, "memory to fit into, as in 80GB; default: that of the device")
        ->type_name("SIZE");
    format_.addTo(app_);
}

void FitCommand::takeDevice(std::string& name) {
    sheet_ = dataSheetNamed(name);
    try {
        name = sheet_ ? "cuda" : deviceFromName(name);
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
    if (sheet_) return static_cast<std::int64_t>(sheet_->memory);
    if (device == "cpu") return availableBytes();
    const std::string gpu = deviceText(device);
    const DataSheet* const sheet = dataSheetOf(gpu);
    if (!sheet) throw UsageError("--device " + device + ": the memory of '" + gpu + "' is not known; give --memory");
    return static_cast<std::int64_t>(sheet->memory);
}

std::string FitCommand::deviceText(const std::string& device) const {
    if (sheet_) return std::string(sheet_->title);
    if (device == "cpu") return device;
    const std::vector<std::string>& gpus = cudaDriver().gpus;
    const auto index = static_cast<std::size_t>(std::stoul(device.substr(device.find(':') + 1)));
    return index < gpus.size() ? gpus[index] : engine()->machine(device).assumed;
}

MachineModel FitCommand::machineOf(const std::string& device) const {
    return sheet_ ? machineBy(*sheet_) : engine()->machine(device);
}

TrainingStep FitCommand::stepAt(const Session& session, const SymbolValues& sizes, const MachineModel& machine) const {
    const auto record = recordAt(*session.record(), sizes);
    if (!sheet_) record->costs = knownCosts(*record, session.options().device);
    return trainingStep(*record, *optimizer_, estimatedTimes(session.options(), *record, machine), loss_);
}

/// Other batches would be compiled anew.
std::string FitCommand::whatIsLeftOut(const BatchRange& part) const {
    if (part.min == range_.min && (part.max == range_.max || part.max == BatchRange::kMost)) return {};
    return "Other batches than " + std::to_string(part.min) + " to " + std::to_string(part.max) +
           " are left out: their graphs differ.";
}

BatchSearch FitCommand::search(const VaryingBatch& batch, std::int64_t limit) const {
    const MachineModel machine = machineOf(batch.session->options().device);
    const auto stepOf = [&](std::int64_t size) {
        SymbolValues values;
        for (const Symbol& symbol : batch.sizes) values[symbol.name] = size;
        return stepAt(*batch.session, values, machine);
    };
    if (batch.sizes.empty()) {
        BatchSearch only = onlyStep(limit, stepOf(0));
        only.note = batch.note;
        return only;
    }
    const BatchRange range = within(range_, batch.sizes);
    BatchSearch found = searchBatches(range, batch.sizes.front().hint, limit, stepOf);
    found.note = whatIsLeftOut(range);
    found.size = joined(batch.sizes, ", ", &Symbol::origin);
    return found;
}

int FitCommand::run(const Options& options) {
    const auto session = openQuietly(options, {"--optimizer", "--loss", "--batch", "--memory", "--json", "--csv"}, {});
    if (!sheet_) warn(*session->record());  // that the GPU is simulated goes without saying
    requirePartition(*session->record());
    const VaryingBatch batch = varyBatch(*engine(), session, range_.name);
    const BatchSearch found = search(batch, memoryOf(options.device));
    nlohmann::json beside = fitJson(found);
    beside["schema"] = kReportSchema;
    beside["model"] = session->record()->model.name;
    beside["device"] = deviceText(options.device);
    beside["optimizer"] = optimizer_->name;
    format_.print(fitTable(found), beside);
    return kFine;
}

}  // namespace

std::unique_ptr<Subcommand> makeFitCommand(CLI::App& parent) { return std::make_unique<FitCommand>(parent); }

}  // namespace aotscope
