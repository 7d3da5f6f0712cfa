#include "session/open/without_engine.h"

#include "compile/built_in_compilers.h"
#include "record/model_kind.h"
#include "record/results/fallback_list.h"
#include "session/engine.h"
#include "session/open/printed_session.h"
#include "session/remote/remote_ranks.h"
#include "session/remote/session_remote.h"
#include "session/session_limits.h"
#include "support/budget.h"
#include "support/confinement.h"
#include "support/input_file.h"
#include "support/needs_torch.h"

namespace aotscope {

namespace {

/// Where LibTorch is missing. Estimates are for a common machine.
class MissingEngine final : public Engine {
public:
    std::string whyMissing() const override { return needsTorch("compiling and running models"); }
    std::shared_ptr<const Session> open(const Options& options, const Progress& progress,
                                        const std::shared_ptr<const Session>& previous,
                                        PassObserver* observer) const override {
        return openWithoutEngine(options, progress, previous, observer);
    }
    std::shared_ptr<const Ranks> compileRanks(const Options& options, std::size_t count, const Progress& progress,
                                              const RankSource& source) const override {
        if (!isRemote(options.model)) throw Error(whyMissing());
        return compileRanksThere(options, count, progress, source);
    }
    std::string torchVersion() const override { return {}; }
    std::vector<DeviceChoice> devices() const override { return {{"cpu", "CPU"}}; }
    std::string whyDeviceCannotRun(const std::string& /*device*/) const override { return whyMissing(); }
    std::vector<CompilerInfo> compilers(const std::vector<std::filesystem::path>& plugins) const override {
        if (!plugins.empty()) throw UsageError(needsTorch("loading plug-ins"));
        return builtInCompilers();
    }
    MachineModel machine(const std::string& device) const override {
        MachineModel machine = device == "cpu" ? usualCpu() : assumedGpu();
        if (machine.assumed.empty()) machine.assumed = "ordinary server CPU";
        return machine;
    }
    Recalibration calibrate(const std::string& device) const override {
        return {machine(device), needsTorch("measuring the machine")};
    }
    std::vector<std::string> planByFunction(const std::filesystem::path&, const Graph&) const override {
        throw Error(needsTorch("calling a partition function"));
    }
    std::vector<DecompositionRule> decompositionRules() const override {
        throw Error(needsTorch("listing decompositions"));
    }
    std::vector<IrLevel> irLevels(const std::shared_ptr<const Graph>&) const override {
        throw Error(needsTorch("replacing operations by simpler ones"));
    }
    void saveScript(const std::string&, const std::filesystem::path&) const override {
        throw Error(needsTorch("saving TorchScript"));
    }
};

/// Null if there are no graphs. Texts are not trusted: they are read on a confined thread.
std::shared_ptr<const Session> openToShow(const std::shared_ptr<const Engine>& engine, const Options& options,
                                          ModelSource source, const Progress& progress, const Session* previous,
                                          PassObserver* observer) {
    options.use({"--time-limit", "--memory-limit"});
    const Budget budget(progress, limitsFor(options));
    return confined([&]() -> std::shared_ptr<const Session> {
        const BudgetScope scope(&budget);
        const SplitSources split{machineOf(engine, options.device), plansOf(engine)};
        auto read = readPrinted({options, RulesWithoutTorch(), split, progress, previous, observer}, source);
        if (!read) return nullptr;
        std::string why = read->whyNoGraphs.empty() ? needsTorch("running printed graphs") : read->whyNoGraphs;
        return shownOnly(options, std::move(*read), std::move(why));
    });
}

std::shared_ptr<const Session> openAsValue(const Options& options, const Progress& progress,
                                           const std::shared_ptr<const Session>& previous, PassObserver* observer) {
    const ModelSource source = recognise(options.model);
    if (source == ModelSource::remote) return openRemote(options, progress, previous, observer);
    const auto engine = std::make_shared<const MissingEngine>();
    if (auto saved = openSaved(engine, options, source, progress, previous)) return saved;
    if (mayBePrinted(source))
        if (auto printed = openToShow(engine, options, source, progress, previous.get(), observer)) return printed;
    if (namesFile(options.model)) const InputFile readable(options.model);  // or throws the reason
    throw Error("cannot open '" + options.model + "': " + engine->whyMissing());
}

}  // namespace

std::shared_ptr<const Session> openWithoutEngine(const Options& options, const Progress& progress,
                                                 const std::shared_ptr<const Session>& previous,
                                                 PassObserver* observer) {
    auto session = openAsValue(options, progress, previous, observer);
    requireNoFallback(*session->record(), options);
    return session;
}

}  // namespace aotscope
