#include "session/open/without_engine.h"

#include "compile/built_in_compilers.h"
#include "load/files_here.h"
#include "load/pickle/foreign_file.h"
#include "record/model_kind.h"
#include "record/results/fallback_list.h"
#include "session/open/printed_session.h"
#include "session/session_limits.h"
#include "support/confinement.h"
#include "support/mapped_file.h"

namespace aotscope {

namespace {

class MissingEngine final : public Engine, public std::enable_shared_from_this<MissingEngine> {
public:
    explicit MissingEngine(std::string why) : why_(std::move(why)) {}

    std::string whyMissing() const override { return why_; }
    std::shared_ptr<const Session> open(const Options& options, const Progress& progress,
                                        const std::shared_ptr<const Session>& previous,
                                        PassObserver* observer) const override {
        auto session = openAny(options, progress, previous, observer);
        requireNoFallback(*session->record(), options);
        return session;
    }
    std::shared_ptr<const Ranks> compileRanks(const Options&, std::size_t, const Progress&,
                                              const RankSource&) const override {
        throw Error(why_);
    }
    std::shared_ptr<const FileAccess> files(const std::string& /*model*/) const override { return filesHere(); }
    std::string torchVersion() const override { return "(not found)"; }
    std::vector<DeviceChoice> devices() const override { return {{"cpu", "CPU"}}; }
    std::string whyDeviceCannotRun(const std::string& /*device*/) const override { return why_; }
    std::vector<CompilerInfo> compilers(const std::vector<std::filesystem::path>& plugins) const override {
        if (!plugins.empty()) throw UsageError(why_);
        return builtInCompilers();
    }
    MachineModel machine(const std::string& device) const override { return assumedMachine(device); }
    Recalibration calibrate(const std::string& device) const override { return {machine(device), why_}; }
    std::vector<std::string> planByFunction(const std::filesystem::path&, const Graph&) const override {
        throw Error(why_);
    }
    std::vector<DecompositionRule> decompositionRules() const override { return {}; }
    std::vector<IrLevel> irLevels(const std::shared_ptr<const Graph>&) const override { throw Error(why_); }
    void saveScript(const std::string&, const std::filesystem::path&) const override { throw Error(why_); }

private:
    std::shared_ptr<const Session> openAny(const Options& options, const Progress& progress,
                                           const std::shared_ptr<const Session>& previous,
                                           PassObserver* observer) const {
        const ModelSource source = recogniseModel(options);
        if (auto saved = openSaved(shared_from_this(), options, source, progress, previous)) return saved;
        if (mayBePrinted(source))
            if (auto printed = openPrintedToShow(options, source, progress, previous.get(), observer)) return printed;
        throw Error("cannot open '" + options.model + "': " + whyNot(options.model));
    }

    /// Archives may be models.
    std::string whyNot(const std::string& model) const {
        if (!namesFile(model)) return why_;
        const auto file = MappedFile::open(model);
        const std::string what = file->text().starts_with("PK") ? "" : describeForeignFile(*file);
        return what.empty() ? why_ : what;
    }

    /// Null if there are no graphs. Texts are not trusted: they are read on a confined thread, also where a window on
    /// another machine asks for it.
    std::shared_ptr<const Session> openPrintedToShow(const Options& options, ModelSource source,
                                                     const Progress& progress, const Session* previous,
                                                     PassObserver* observer) const {
        options.use({"--time-limit", "--memory-limit"});
        return confined([&]() -> std::shared_ptr<const Session> {
            const SplitSources split{machineOf(shared_from_this(), options.device), plansOf(shared_from_this())};
            auto read = readPrinted({options, rulesWithoutTorch(), split, progress, previous, observer}, source);
            if (!read) return nullptr;
            std::string why = read->whyNoGraphs.empty() ? why_ : read->whyNoGraphs;
            return shownOnly(options, std::move(*read), std::move(why));
        });
    }

    std::string why_;
};

}  // namespace

std::shared_ptr<const Engine> missingEngine(std::string why) {
    return std::make_shared<const MissingEngine>(std::move(why));
}

}  // namespace aotscope
