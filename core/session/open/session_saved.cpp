#include "session/open/session_saved.h"

#include "io/session/document.h"
#include "io/session/model_reference.h"
#include "io/session/requested_code.h"
#include "io/session/session_file.h"
#include "ops/repeated_draws.h"
#include "passes/repartition.h"
#include "record/graph_options.h"
#include "record/model_kind.h"
#include "record/options/option_use.h"
#include "session/session_limits.h"
#include "session/within.h"
#include "support/temporary_folder.h"

#include <mutex>
#include <optional>
#include <typeinfo>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

/// The plan that gives this partition. RNG states are saved with the operations that the backward repeats.
std::vector<std::string> planOf(const Partition& partition) {
    std::vector<std::string> names;
    for (const SavedValue& value : partition.saved)
        if (value.op != kRngState) names.push_back(value.name);
    return names;
}

/// The model embedded in a session file, extracted when first needed and removed with the session.
class UnpackedModel {
public:
    UnpackedModel(fs::path session, std::string record) : session_(std::move(session)), record_(std::move(record)) {}
    UnpackedModel(const UnpackedModel&) = delete;
    UnpackedModel& operator=(const UnpackedModel&) = delete;
    ~UnpackedModel() { remove(); }

    bool exists() const { return !record_.empty(); }
    /// Permanently.
    void remove() {
        const std::scoped_lock lock(mutex_);
        folder_.reset();
        removed_ = true;
    }
    fs::path path() {
        const std::scoped_lock lock(mutex_);
        if (removed_) throw Error("the session '" + session_.string() + "' is closed");
        if (!file_.empty()) return file_;
        folder_.emplace();
        if (!folder_->exists())
            throw Error("cannot unpack the model of '" + session_.string() + "' into '" +
                        fs::temp_directory_path().string() + "'; free some space there");
        return file_ = extractModel(session_, record_, folder_->path());
    }

private:
    std::mutex mutex_;
    fs::path session_, file_;
    std::optional<TemporaryFolder> folder_;
    std::string record_;
    bool removed_ = false;
};

/// The contents of a session file, and the location of its model.
class Origin {
public:
    Origin(const fs::path& path, const Progress& progress) : Origin(path, readSessionFile(path, progress)) {}

    const fs::path& path() const { return path_; }
    const SessionContent& content() const { return content_; }
    /// The options of the file. What may be loaded, and what the model may do, comes from this user: from `given`.
    Options options(const Options& given) const {
        Options options = content_.options;
        options.model = path_.string();
        options.torch = given.torch;
        options.libraries = given.libraries;
        options.allow = given.allow;
        options.limits = given.limits;
        options.compilers.plugins = given.compilers.plugins;
        for (const auto& [key, value] : ownSettings(given.compilers))
            options.compilers.settings.insert_or_assign(key, value);
        return options;
    }
    /// Extracts it; empty if the file has none.
    fs::path carriedModel() const { return unpacked_.exists() ? unpacked_.path() : fs::path(); }
    void removeUnpacked() const { unpacked_.remove(); }

    /// Why the model cannot be compiled: one sentence; empty if it can. Cheap: contents are compared on opening.
    std::string whyNotCompiled() const {
        return content_.notExecutable.empty() ? whyNoModel() : content_.notExecutable;
    }
    /// Why it cannot be run as saved.
    std::string whyNotRun() const { return content_.runsAsItIs ? whyNoModel() : whyNotCompiled(); }
    std::string whyNoModel() const {
        if (needsNoFile()) return {};
        if (content_.model.hash.empty())
            return "the session '" + path_.string() +
                   "' has no hash of its model: its graphs can be viewed and partitioned, but not run; open the model "
                   "itself";
        if (unpacked_.exists() || !candidate().empty()) return {};
        return "the model '" + content_.options.model +
               "' that the session was made from is not on this machine: its graphs can be viewed and partitioned, but "
               "not run; put the model next to the session file, open the model itself, or save the session including "
               "the model (--embed, Save Session with Model) where the model is";
    }

    /// The model for Session::open. Throws Error if it has changed.
    std::string model() const {
        if (const std::string why = whyNotRun(); !why.empty()) throw Error(why);
        const fs::path found = needsNoFile() ? fs::path() : candidate();
        std::string model = needsNoFile()   ? content_.options.model
                            : found.empty() ? unpacked_.path().string()
                                            : found.string();
        if (!needsNoFile() && recogniseFile(model) == ModelSource::session)
            throw Error("the session '" + path_.string() + "' names the session '" + model +
                        "' as its model; open that one");
        if (!content_.model.hash.empty() && modelHash(model) != content_.model.hash)
            throw Error("the model '" + model + "' is not the one that the session '" + path_.string() +
                        "' was made from: its content has changed; open the model itself");
        return model;
    }

private:
    Origin(fs::path path, SessionFile file)
        : path_(std::move(path)), content_(std::move(file.content)), unpacked_(path_, std::move(file.embeddedModel)) {}

    bool needsNoFile() const { return !namesFile(content_.options.model); }

    /// A file with the right size: at the model's path, or beside the session file.
    fs::path candidate() const {
        const fs::path& was = content_.model.path;
        for (const fs::path& path : {was, path_.parent_path() / was.filename()}) {
            std::error_code failure;
            if (!was.empty() && fs::is_regular_file(path, failure) &&
                fs::file_size(path, failure) == content_.model.size)
                return path;
        }
        return {};
    }

    fs::path path_;
    SessionContent content_;
    mutable UnpackedModel unpacked_;
};

/// Why `engine` cannot compile it: it is missing, or code that the session names is; see whyCodeIsMissing.
std::string whyNotBy(const std::shared_ptr<const Engine>& engine, const Origin& origin, const Options& options) {
    const std::string missing = engine->whyMissing();
    return !missing.empty() ? missing
                            : whyCodeIsMissing(options, origin.content().code, origin.path(), compilersOf(engine));
}

/// Compiles the model of `origin`. If it cannot be loaded, a library named in the file may be missing.
std::shared_ptr<const Session> compiled(const std::shared_ptr<const Engine>& engine, const Origin& origin,
                                        Options options, const Progress& progress,
                                        const std::shared_ptr<const Session>& previous) {
    if (const std::string why = whyNotBy(engine, origin, options); !why.empty()) throw Error(why);
    options.model = origin.model();
    try {
        return engine->open(options, progress, previous);
    } catch (const Error& e) {
        if (typeid(e) != typeid(Error)) throw;
        throw Error(e.what() + missingLibraries(options, origin.content().code));
    }
}

class SavedSession final : public Session {
public:
    /// As saved, or with another record and the options for it.
    SavedSession(std::shared_ptr<const Engine> engine, const std::shared_ptr<const Origin>& origin,
                 const Options& given)
        : SavedSession(std::move(engine), origin, origin->options(given), origin->content().record, nullptr) {
        saved_ = &origin_->content();
    }
    SavedSession(std::shared_ptr<const Engine> engine, std::shared_ptr<const Origin> origin, Options options,
                 std::shared_ptr<const CompileRecord> record, std::shared_ptr<const Session> live)
        : Session(std::move(options), std::move(record)),
          engine_(std::move(engine)),
          origin_(std::move(origin)),
          whyNotHere_(whyNotBy(engine_, *origin_, options_)),
          live_(std::move(live)) {
        ofSessionFile_ = true;
        if (whyNotHere_.empty()) whyNotHere_ = engine_->whyDeviceCannotRun(options_.device);
    }

    const std::shared_ptr<const Origin>& origin() const { return origin_; }
    const std::shared_ptr<const Session>& live() const { return live_; }

    InputSpec inputSpec() const override { return live_ ? live_->inputSpec() : origin_->content().inputSpec; }
    std::vector<std::string> inputNames() const override { return origin_->content().inputNames; }
    std::string whyNotCompiled() const override {
        const std::string why = origin_->whyNotCompiled();
        return why.empty() ? engine_->whyMissing() : why;
    }
    std::string whyNotExecutable() const override {
        const std::string why = origin_->whyNotRun();
        return why.empty() ? whyNotHere_ : why;
    }
    void removeUnpacked() const override { origin_->removeUnpacked(); }
    SessionContent content() const override {
        SessionContent content = saved_ ? *saved_ : contentOf(*this, origin_->content().model);
        dropUnusedPlugins(content.options.compilers, compilersOf(engine_));
        content.options.model = origin_->content().options.model;
        content.notExecutable = origin_->content().notExecutable;
        content.runsAsItIs = origin_->content().runsAsItIs;
        addCode(content.code, origin_->content().code);
        content.embeddedModel = origin_->carriedModel();
        return content;
    }

    const Executable& executable(const Progress& progress) const override {
        return running(progress)->executable(progress);
    }

private:
    /// The session compiled here, to run it.
    std::shared_ptr<const Session> running(const Progress& progress) const {
        const auto lock = mutex_.lock(progress);
        if (live_) return live_;
        auto session = compiled(engine_, *origin_, options_, progress, nullptr);
        if (!session->record()->error.empty())
            throw Error(session->record()->error + missingLibraries(options_, origin_->content().code));
        if (!sameGraphs(*record_, *session->record()))
            throw Error("the model '" + session->options().model +
                        "' compiles to different graphs here than in the session '" + origin_->path().string() +
                        "', which was made with LibTorch " + record_->model.torchVersion + "; open the model itself");
        return live_ = std::move(session);
    }

    std::shared_ptr<const Engine> engine_;
    std::shared_ptr<const Origin> origin_;
    std::string whyNotHere_;  ///< for lack of code or a device; asked for once, as the engine may be busy later
    mutable PatientMutex mutex_;
    mutable std::shared_ptr<const Session> live_;  ///< null until something is run
};

std::shared_ptr<const Session> splitAgain(const std::shared_ptr<const Engine>& engine,
                                          const std::shared_ptr<const Origin>& origin, const Options& options) {
    const CompileRecord& whole = *origin->content().record;
    auto record = repartition(whole, options.partition, rooflineTimes(machineOf(engine, options.device), whole.costs),
                              plansOf(engine));
    return std::make_shared<SavedSession>(engine, origin, options, std::move(record), nullptr);
}

/// The session with options that differ from those of the file.
std::shared_ptr<const Session> changed(const std::shared_ptr<const Engine>& engine, const SavedSession& previous,
                                       const Options& options, const Progress& progress) {
    const auto& origin = previous.origin();
    std::string why = origin->whyNotCompiled();
    if (why.empty()) why = whyNotBy(engine, *origin, options);
    if (!why.empty() && onlyRepartitions(origin->options(options), options)) return splitAgain(engine, origin, options);
    if (!why.empty()) throw Error(why);
    auto live = compiled(engine, *origin, options, progress, previous.live());
    return std::make_shared<SavedSession>(engine, origin, options, live->record(), live);
}

}  // namespace

namespace {

/// The file may be opened from another folder.
void makeAbsolute(fs::path& path) {
    std::error_code failure;
    if (const auto absolute = fs::absolute(path, failure); !path.empty() && !failure) path = absolute;
}

}  // namespace

bool sameGraphs(const CompileRecord& a, const CompileRecord& b) {
    for (const auto& [kind, graph] : a.graphs)
        if (const auto other = b.graph(kind); other && !sameStructure(*graph, *other)) return false;
    return true;
}

bool onlyRepartitions(const Options& known, Options options) {
    options.partition = known.partition;
    options.repartition = known.repartition;
    return sameOptions(known, options);
}

SessionContent contentOf(const Session& session, ModelReference model) {
    SessionContent content;
    content.options = session.options();
    content.inputSpec = session.inputSpec();
    content.inputNames = session.inputNames();
    content.notExecutable = session.whyNotCompiled();
    content.record = session.record();
    content.model = std::move(model);
    Options& options = content.options;
    if (options.partition.algorithm == PartitionAlgorithm::planned && content.record->partition)
        options.partition.plan = planOf(*content.record->partition);
    for (fs::path* path :
         {&options.inputFolder, &options.weights, &options.definitions, std::get_if<fs::path>(&options.inputs)})
        if (path) makeAbsolute(*path);
    for (fs::path& library : options.libraries) makeAbsolute(library);
    for (fs::path& plugin : options.compilers.plugins) makeAbsolute(plugin);
    return content;
}

namespace {

void explainSaved(const Options& options) {
    explainUnused(
        options, "the partition is the one of the session; give --partition as well to split it again",
        "'" + options.model + "' is a saved session, which keeps its original options; give the model itself");
}

}  // namespace

std::shared_ptr<const Session> openSaved(const std::shared_ptr<const Engine>& engine, const Options& options,
                                         ModelSource source, const Progress& progress,
                                         const std::shared_ptr<const Session>& previous) {
    const auto* same = dynamic_cast<const SavedSession*>(previous.get());
    if (same && same->options().model == options.model) {  // its file may have been overwritten or removed
        if (sameOptions(same->origin()->options(options), options))
            return std::make_shared<SavedSession>(engine, same->origin(), options);
        return changed(engine, *same, options, progress);
    }
    if (source != ModelSource::session) return nullptr;
    progress.enter("session");
    const auto origin = [&] {
        const WatchedReading reading(options);
        return std::make_shared<const Origin>(options.model, progress);
    }();
    options.use({"--library", "--allow", "--plugin", "--time-limit", "--memory-limit"});
    // Code named in a session is loaded if it is also given here, together with a plug-in's settings.
    if (!ownSettings(options.compilers).empty()) options.use("--compiler-option");
    if (!options.repartition) {
        explainSaved(options);
        return std::make_shared<SavedSession>(engine, origin, options);
    }
    Options own = origin->options(options);
    own.partition = options.partition;
    own.repartition = true;
    own.given = options.given;
    auto split = splitAgain(engine, origin, own);
    useForGraphs(own, *split->record());
    explainSaved(options);
    return split;
}

}  // namespace aotscope
