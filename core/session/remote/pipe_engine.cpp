#include "session/remote/pipe_engine.h"

#include "session/remote/remote_files.h"
#include "session/remote/remote_host.h"
#include "session/remote/remote_ranks.h"
#include "support/file.h"
#include "support/quoted.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

namespace aotscope {

namespace {

using nlohmann::json;
using session_format::about;
using session_format::AskedGraph;
using session_format::borrowed;

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kRetry{1};  // for what could not be learned before
constexpr int kMostFailures = 2;           // of a plug-in: once, others may be the reason

/// What does not change as long as the program is the same.
struct EngineFacts {
    std::string torchVersion;
    std::vector<DeviceChoice> devices;
    std::vector<CompilerInfo> compilers;  ///< the built-in ones
    std::vector<DecompositionRule> rules;
};

/// Learns the facts in a thread of its own, so that nobody waits for long for an engine that does not answer.
class FactFinder : public std::enable_shared_from_this<FactFinder> {
public:
    explicit FactFinder(std::shared_ptr<RemoteHost> host) : host_(std::move(host)) {}

    void begin() {
        const std::scoped_lock lock(mutex_);
        learn();
    }
    /// Null if the engine cannot be started, or does not answer: whatever is run then says why.
    std::shared_ptr<const EngineFacts> facts() {
        std::unique_lock lock(mutex_);
        if (!facts_ && !learning_) learn();
        while (!facts_ && learning_ && Clock::now() < heard_ + patience_) changed_.wait_until(lock, heard_ + patience_);
        if (!facts_) patience_ = kRetry;
        return facts_;
    }
    void stop() { progress_.cancel(); }

private:
    void learn() {
        learning_ = true;
        heard_ = Clock::now();
        std::thread([self = shared_from_this()] { self->run(); }).detach();
    }
    void run() {
        auto facts = std::make_shared<EngineFacts>();
        try {
            const auto connection = host_->connection(progress_);
            facts->torchVersion = connection->torchVersion();
            hear();
            take(*connection, facts->devices, "devices", json::object());
            take(*connection, facts->compilers, "compilerList", about(std::vector<std::filesystem::path>()));
            take(*connection, facts->rules, "decompositionRules", json::object());
        } catch (const std::exception&) {  // whoever needs it first is told
            facts = nullptr;
        }
        const std::scoped_lock lock(mutex_);
        facts_ = std::move(facts);
        learning_ = false;
        changed_.notify_all();
    }
    template <typename T>
    void take(Connection& connection, T& fact, const char* what, json with) {
        fact = session_format::valueIn<T>(host_->there(), connection.call(what, std::move(with), progress_).result);
        hear();
    }
    void hear() {
        const std::scoped_lock lock(mutex_);
        heard_ = Clock::now();
    }

    const std::shared_ptr<RemoteHost> host_;
    Progress progress_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::shared_ptr<const EngineFacts> facts_;
    bool learning_ = false;
    Clock::time_point heard_;  ///< when the engine has answered last
    std::chrono::seconds patience_ = RemoteHost::kSoon;
};

/// The compilers with those of plug-ins, as long as their files are the same. A plug-in that ends or stops the engine
/// when it is loaded is not tried forever.
class PluginCompilers {
public:
    std::vector<CompilerInfo> of(const std::vector<std::filesystem::path>& plugins, RemoteHost& host) {
        const FileTimes files = timesOf(plugins);
        {
            const std::scoped_lock lock(mutex_);
            const Known& known = known_[files];
            if (known.failures >= kMostFailures) throw UsageError(known.why);
            if (!known.compilers.empty()) return known.compilers;
        }
        try {
            auto compilers =
                host.ask<std::vector<CompilerInfo>>("compilerList", about(plugins), RemoteHost::kSoon, files);
            const std::scoped_lock lock(mutex_);
            return known_[files].compilers = std::move(compilers);
        } catch (const UsageError&) {
            throw;
        } catch (const Error& e) {
            const std::scoped_lock lock(mutex_);
            Known& known = known_[files];
            ++known.failures;
            known.why = "cannot load the plug-in " + inQuotes(plugins.back().string()) + ": " + e.what();
            throw UsageError(known.why);
        }
    }

private:
    struct Known {
        std::vector<CompilerInfo> compilers;
        int failures = 0;
        std::string why;
    };

    std::mutex mutex_;
    std::map<FileTimes, Known> known_;
};

/// The window asks it in the thread that it draws in: nothing here waits for long.
class PipeEngine final : public Engine {
public:
    PipeEngine(const std::filesystem::path& program, const std::filesystem::path& reader)
        : program_(program),
          reader_(reader),
          host_(hostWith(EngineRights::confined)),
          finder_(std::make_shared<FactFinder>(host_)) {
        finder_->begin();
    }
    PipeEngine(const PipeEngine&) = delete;
    PipeEngine& operator=(const PipeEngine&) = delete;
    ~PipeEngine() override { finder_->stop(); }

    std::shared_ptr<const Session> open(const Options& options, const Progress& progress,
                                        const std::shared_ptr<const Session>& previous,
                                        PassObserver* observer) const override {
        return openOn(hostFor(options, previous.get()), options, progress, previous, observer);
    }
    std::shared_ptr<const Ranks> compileRanks(const Options& options, std::size_t count, const Progress& progress,
                                              const RankSource& source) const override {
        return compileRanksOn(hostFor(options, source.beside), options, count, progress, source);
    }

    std::shared_ptr<const FileAccess> files(const std::string& model) const override {
        return filesOf(hostFor({.model = model}, nullptr));
    }
    std::string torchVersion() const override {
        const auto facts = finder_->facts();
        return facts ? facts->torchVersion : "(no answer)";
    }
    std::vector<DeviceChoice> devices() const override {
        const auto facts = finder_->facts();
        return facts ? facts->devices : std::vector<DeviceChoice>{{"cpu", {}}};
    }
    /// If nobody can tell, whatever runs on it does.
    std::string whyDeviceCannotRun(const std::string& device) const override {
        try {
            return host_->ask<std::string>("whyDeviceCannotRun", about(device), RemoteHost::kSoon);
        } catch (const Error&) {
            return {};
        }
    }
    std::vector<CompilerInfo> compilers(const std::vector<std::filesystem::path>& plugins) const override {
        const auto facts = finder_->facts();
        if (!facts) return {{"interpreter", {}, {}}};
        return plugins.empty() ? facts->compilers : plugins_.of(plugins, *hostOfCode());
    }
    /// As it was first found. If it cannot be asked, estimates are those of another machine, and say so.
    MachineModel machine(const std::string& device) const override {
        if (const auto known = knownMachine(device)) return *known;
        try {
            const auto found = host_->ask<MachineModel>("machine", about(device), RemoteHost::kSoon);
            const std::scoped_lock lock(mutex_);
            return machines_[device] = found;
        } catch (const Error&) {
            return assumedMachine(device);
        }
    }
    Recalibration calibrate(const std::string& device) const override {
        auto found = host_->ask<Recalibration>("calibrate", about(device));
        const std::scoped_lock lock(mutex_);
        machines_[device] = found.machine;
        return found;
    }
    std::vector<std::string> planByFunction(const std::filesystem::path& function, const Graph& joint) const override {
        return hostOfCode()->ask<std::vector<std::string>>(
            "plan", about(AskedGraph{.graph = borrowed(joint), .function = function}), RemoteHost::kLater,
            timesOf({function}));
    }
    std::vector<DecompositionRule> decompositionRules() const override {
        const auto facts = finder_->facts();
        return facts ? facts->rules : std::vector<DecompositionRule>();
    }
    std::vector<IrLevel> irLevels(const std::shared_ptr<const Graph>& graph) const override {
        auto levels = host_->ask<std::vector<IrLevel>>("irLevels", about(AskedGraph{graph}));
        if (levels.empty()) throw Error("the answer of the engine is damaged: the graph has no levels");
        levels.front().lowered.graph = graph;
        return levels;
    }
    void saveScript(const std::string& model, const std::filesystem::path& file) const override {
        const json answer = host_->answer("script", about(model), RemoteHost::kSoon);
        writeFileAtomically(file, bytesOf(answer, "file"));
    }

private:
    std::optional<MachineModel> knownMachine(const std::string& device) const {
        const std::scoped_lock lock(mutex_);
        const auto found = machines_.find(device);
        return found == machines_.end() ? std::nullopt : std::optional(found->second);
    }
    /// Each torch has a process, and another one for what needs more rights; both are kept.
    std::shared_ptr<RemoteHost> hostFor(const Options& options, const Session* beside) const {
        if (isRemote(options.model)) return hostOf(options, beside);
        for (const auto& host : allHosts()) host->leaveIfItHangs();
        return kept(options.torch.empty() ? hostWith(rightsFor(options)) : hostOf(options, beside));
    }
    std::vector<std::shared_ptr<RemoteHost>> allHosts() const {
        const std::scoped_lock lock(mutex_);
        return hosts_;
    }
    std::shared_ptr<RemoteHost> hostOfCode() const { return kept(hostWith(EngineRights::asTheUser)); }
    std::shared_ptr<RemoteHost> hostWith(EngineRights rights) const {
        return std::make_shared<RemoteHost>(EngineStart{program_}.served(rights), reader_);
    }
    std::shared_ptr<RemoteHost> kept(std::shared_ptr<RemoteHost> host) const {
        const std::scoped_lock lock(mutex_);
        const auto known = std::ranges::find(hosts_, host->there(),
                                             [](const auto& each) -> const RemoteModel& { return each->there(); });
        return known != hosts_.end() ? *known : hosts_.emplace_back(std::move(host));
    }

    const std::filesystem::path program_, reader_;
    std::shared_ptr<RemoteHost> host_;
    std::shared_ptr<FactFinder> finder_;
    mutable PluginCompilers plugins_;
    mutable std::mutex mutex_;
    mutable std::vector<std::shared_ptr<RemoteHost>> hosts_{host_};  ///< and those for Options::torch and code
    mutable std::map<std::string, MachineModel> machines_;           ///< by device
};

}  // namespace

std::shared_ptr<const Engine> engineIn(const std::filesystem::path& program, const std::filesystem::path& reader) {
    return std::make_shared<const PipeEngine>(program, reader);
}

}  // namespace aotscope
