#include "session/fit/fit_question.h"

#include "cost/estimated_times.h"
#include "record/record_at.h"
#include "session/engine.h"
#include "support/joined.h"
#include "support/resident_memory.h"

namespace aotscope {

namespace {

/// Steps of a session on one machine.
class Steps {
public:
    Steps(const Engine& engine, const Session& session, const FitQuestion& question, const Progress& progress)
        : session_(session),
          question_(question),
          progress_(progress),
          machine_(question.sheet ? machineBy(*question.sheet) : engine.machine(session.options().device)) {}

    TrainingStep at(const SymbolValues& sizes) const {
        progress_.throwIfCancelled();
        const auto record = recordAt(*session_.record(), sizes);
        record->costs = knownCosts(sizes);
        return trainingStep(*record, *question_.optimizer, estimatedTimes(session_.options(), *record, machine_),
                            question_.loss);
    }

private:
    /// Null: nothing, as nobody can say.
    std::shared_ptr<const OperatorCosts> knownCosts(const SymbolValues& sizes) const {
        if (question_.sheet || !session_.whyNotExecutable().empty()) return nullptr;
        return std::make_shared<const OperatorCosts>(session_.executable(progress_).operatorCosts(sizes, progress_));
    }

    const Session& session_;
    const FitQuestion& question_;
    const Progress& progress_;
    MachineModel machine_;
};

/// Other batches would be compiled anew.
std::string whatIsLeftOut(const BatchRange& range, const BatchRange& part) {
    if (part.min == range.min && (part.max == range.max || part.max == BatchRange::kMost)) return {};
    return "Other batches than " + std::to_string(part.min) + " to " + std::to_string(part.max) +
           " are left out: their graphs differ.";
}

}  // namespace

std::int64_t memoryFor(const FitQuestion& question, const std::string& device) {
    if (question.sheet) return static_cast<std::int64_t>(question.sheet->memory);
    return device == "cpu" ? availableBytes() : 0;
}

Options optionsFor(const FitQuestion& question, Options options) {
    if (question.sheet) options.device = "cuda";
    return options;
}

BatchSearch answerFit(const Engine& engine, const VaryingBatch& batch, const BatchRange& range,
                      const FitQuestion& question, const Progress& progress) {
    const Steps steps(engine, *batch.session, question, progress);
    if (batch.sizes.empty()) {
        BatchSearch only = onlyStep(question.limit, steps.at(question.sizes));
        only.note = batch.note;
        return only;
    }
    const auto stepOf = [&](std::int64_t size) {
        SymbolValues values = question.sizes;
        for (const Symbol& symbol : batch.sizes) values[symbol.name] = size;
        return steps.at(values);
    };
    const BatchRange part = within(range, batch.sizes);
    const std::int64_t shown = question.shown > 0 ? question.shown : batch.sizes.front().hint;
    BatchSearch found = searchBatches(part, shown, question.limit, stepOf);
    found.note = whatIsLeftOut(range, part);
    found.size = joined(batch.sizes, ", ", &Symbol::origin);
    return found;
}

}  // namespace aotscope
