#include "session/remote/session_remote.h"

#include "io/session/document.h"
#include "io/session/requested_code.h"
#include "io/session/sound_content.h"
#include "passes/repartition.h"
#include "record/model_kind.h"
#include "remote/remote_options.h"
#include "session/open/session_saved.h"
#include "session/remote/remote_debugger.h"
#include "session/remote/remote_files.h"
#include "session/remote/remote_host.h"
#include "session/within.h"
#include "support/error.h"
#include "support/file.h"
#include "support/resident_memory.h"
#include "support/temporary_folder.h"

#include <functional>
#include <mutex>

namespace aotscope {

namespace {

using nlohmann::json;
using session_format::about;
using session_format::AskedGraph;
using session_format::borrowed;
using session_format::stepsTo;
using session_format::unpackedOf;
using session_format::valueIn;

/// A session in the engine, by its id.
struct Place {
    std::shared_ptr<Connection> connection;  ///< null: it is not open there
    std::uint64_t id = 0;
};

/// What is known about it.
struct Opened {
    Place place;
    SessionContent content;
    session_format::SessionFacts facts;
    std::shared_ptr<const TraceLog> log;
};

/// Notifies `observer` of passes in the engine.
Connection::Listener listenerOf(const RemoteModel& there, Connection& connection, PassObserver* observer,
                                const Progress& progress) {
    return [&there, &connection, observer, &progress](const json& event, std::uint64_t id) {
        const SessionContent content = readAnswer(there, [&] { return decodeSession(bytesOf(event, "session")); });
        if (!observer) throw Error(nameOf(there) + " sends passes that were not requested");
        observer->betweenPasses(*content.record, textOf(event, "next"), progress);
        connection.goOn(id);
    };
}

/// `previous`: a session on the same connection; 0: none.
Opened openThere(RemoteHost& host, const Options& options, std::uint64_t previous,
                 const std::shared_ptr<Connection>& connection, const Progress& progress, PassObserver* observer) {
    json with = {{"options", allOptionsJson(options)}, {"previous", previous}, {"observed", observer != nullptr}};
    const Connection::Reply reply =
        connection->call("open", std::move(with), progress, listenerOf(host.there(), *connection, observer, progress));
    return readAnswer(host.there(), [&] {
        takeOptionUse(objectOf(reply.result, "use"), options);
        return Opened{.place = {connection, reply.id},
                      .content = decodeSession(bytesOf(reply.result, "session")),
                      .facts = unpackedOf<session_format::SessionFacts>(reply.result, "value")};
    });
}

/// What the engine has found in the session's log. `before`: the previously opened session; may be null.
void receiveLog(const std::shared_ptr<RemoteHost>& host, Opened& opened, const Opened* before,
                const Progress& progress) {
    const session_format::SessionFacts& facts = opened.facts;
    if (facts.log.empty()) return;
    if (const TraceLog* known = before ? before->log.get() : nullptr;
        known && known->path == facts.log && known->written == facts.logWritten && known->bytes == facts.logBytes)
        return void(opened.log = before->log);
    Connection& connection = *opened.place.connection;
    try {
        opened.log = logIn(host, connection.call("logOf", {{"session", opened.place.id}}, progress).result);
    } catch (const Cancelled&) {
        connection.drop(opened.place.id);
        throw;
    } catch (const Error& e) {
        if (!connection.alive()) throw;
        auto record = std::make_shared<CompileRecord>(*opened.content.record);
        record->warnings.push_back(std::string("the page Compilations is empty: ") + e.what());
        opened.content.record = std::move(record);
    }
}

/// The machine, in sentences about something on it: " on 'me@host'".
std::string on(const RemoteModel& there) { return there.isHere() ? std::string() : " on '" + there.place + "'"; }

class RemoteSession final : public Session, public Executable {
public:
    /// As the engine has opened it.
    RemoteSession(std::shared_ptr<RemoteHost> host, const Options& given, Opened opened)
        : Session(opened.facts.saved ? opened.content.options : given, opened.content.record),
          host_(std::move(host)),
          given_(given),
          opened_(std::move(opened)),
          place_(opened_.place) {
        takeOpened();
        if (opened_.facts.saved) saved_ = &opened_.content;
        opened_.place = {};  // a broken connection is not kept
        options_.model = given.model;
        options_.compileId = opened_.content.options.compileId;
        options_.torch = given.torch;
        options_.libraries = given.libraries;
        options_.allow = given.allow;
        options_.limits = given.limits;
        options_.compilers.plugins = given.compilers.plugins;
        for (const auto& [key, value] : ownSettings(given.compilers))
            options_.compilers.settings.insert_or_assign(key, value);
    }
    /// With a partition computed here; the engine opens it when something is run.
    RemoteSession(const std::shared_ptr<const RemoteSession>& other, const Options& options,
                  std::shared_ptr<const CompileRecord> record)
        : Session(options, std::move(record)),
          host_(other->host_),
          given_(options),
          opened_(other->opened_),
          basis_(other->place().connection ? other : other->basis_) {
        takeOpened();
        opened_.facts.saved = false;
        options_.compileId = other->options_.compileId;
    }
    RemoteSession(const RemoteSession&) = delete;
    RemoteSession& operator=(const RemoteSession&) = delete;
    ~RemoteSession() override {
        if (place_.connection) place_.connection->drop(place_.id);
    }

    std::shared_ptr<RemoteHost> host() const override { return host_; }
    const Opened& opened() const { return opened_; }
    /// The session there that another one on this model reuses; 0: none.
    std::uint64_t idOn(const std::shared_ptr<Connection>& connection) const {
        if (const Place own = place(); own.connection == connection) return own.id;
        return basis_ ? basis_->idOn(connection) : 0;
    }
    /// One that this one was partitioned from, if it has these options; otherwise null.
    std::shared_ptr<const RemoteSession> basisWith(const Options& options) const {
        if (!basis_ || sameOptions(basis_->options_, options)) return basis_;
        return basis_->basisWith(options);
    }
    /// Whether graphs for `options` can be derived locally from existing ones. The engine calls partition functions.
    bool hasGraphsFor(const Options& options) const {
        if (!options.partition.function.empty()) return false;
        if (!record_->error.empty() || !record_->partition || !record_->graph(GraphKind::joint)) return false;
        const auto& first = opened_.content.record->partition;
        if (!options.repartition && first && first->algorithm == PartitionAlgorithm::printed) return false;
        const auto differs = [&](const Options& known) {
            return onlyRepartitions(known, options) && !sameOptions(known, options);
        };
        return differs(given_) || differs(options_);
    }
    EngineLink link() const override {
        const auto connection = place().connection;
        return connection ? connection->link() : basis_ ? basis_->link() : EngineLink();
    }
    std::shared_ptr<void> watch(LinkWatchers::Listener listener) const override {
        return host_->watchers().add(std::move(listener));
    }
    void reconnect(const Progress& progress) const override {
        if (!place().connection && basis_) basis_->reconnect(progress);
        else placeThere(progress);
    }

    const Executable& executable(const Progress& /*progress*/) const override { return *this; }
    InputSpec inputSpec() const override { return opened_.content.inputSpec; }
    std::vector<std::string> inputNames() const override { return opened_.content.inputNames; }
    std::string whyNotCompiled() const override { return opened_.facts.whyNotCompiled; }
    std::string whyNoOtherInputs() const override { return opened_.facts.whyNoOtherInputs; }
    std::string whyNotExecutable() const override { return opened_.facts.whyNotExecutable; }
    SessionContent content() const override;
    void takeReference(SessionContent& content) const;

    std::vector<CompilerUse> compilers(const Progress& progress) const override {
        return ask<std::vector<CompilerUse>>("compilers", json::object(), progress);
    }
    CheckResult check(const Progress& progress) const override {
        SessionContent content;
        content.record = record();
        content.check = ask<CheckResult>("check", json::object(), progress);
        readAnswer(host_->there(), [&] { requireSound(content); });
        return *content.check;
    }
    BisectResult bisect(const Progress& progress) const override {
        return ask<BisectResult>("bisect", json::object(), progress);
    }
    TimingResult time(const TimingOptions& timing, const Progress& progress) const override {
        return ask<TimingResult>("time", about(timing), progress);
    }
    MeasuredOperators measureOperators(const Progress& progress) const override {
        return ask<MeasuredOperators>("measureOperators", json::object(), progress);
    }
    OperatorCosts operatorCosts(const SymbolValues& sizes, const Progress& progress) const override {
        auto costs = ask<OperatorCosts>("operatorCosts", about(sizes), progress);
        readAnswer(host_->there(), [&] { requireSound(costs); });
        return costs;
    }
    VariantTiming timeAgainst(const Executable& other, const TimingOptions& timing,
                              const Progress& progress) const override;
    void saveTorchScript(const Graph& graph, GraphKind kind, TorchScriptForm form,
                         const std::filesystem::path& file) const override {
        answerWithin(RemoteHost::kLater, nameOf(host_->there()), [&](const Progress& progress) {
            saveBy("saveTorchScript", about(AskedGraph{borrowed(graph), kind, form}), file, progress);
        });
    }
    void saveValues(const std::filesystem::path& file, const Progress& progress) const override {
        saveBy("saveValues", json::object(), file, progress);
    }
    GraphExample example(const Graph& graph, GraphKind kind, ExampleValues values,
                         const Progress& progress) const override;
    MinifyResult minify(const MinifyOptions& wanted, const Progress& progress) const override;
    std::shared_ptr<Debugger> debug(const Progress& progress) const override;
    TrainResult train(const TrainOptions& training, const Progress& progress,
                      const TrainListener& listener) const override;

private:
    void takeOpened() {
        compileIds_ = opened_.facts.compileIds;
        trace_ = opened_.log;
        ofSessionFile_ = opened_.facts.ofSessionFile;
        rankPrefix_ = opened_.facts.rank;
    }
    Place place() const {
        const std::scoped_lock lock(mutex_);
        return place_;
    }
    Place placeThere(const Progress& progress) const;
    Connection::Reply callAt(const Place& place, const char* what, json with, const Progress& progress,
                             const Connection::Listener& listener = {}) const;
    Connection::Reply call(const char* what, json with, const Progress& progress,
                           const Connection::Listener& listener = {}) const {
        return callAt(placeThere(progress), what, std::move(with), progress, listener);
    }
    /// A plain value as a result.
    template <typename T>
    T ask(const char* what, json with, const Progress& progress, const Connection::Listener& listener = {}) const {
        return valueIn<T>(host_->there(), call(what, std::move(with), progress, listener).result);
    }
    /// For an engine on this machine: `take` gets the file that it makes, which is removed afterwards.
    json callInto(const Place& place, const char* what, json with, const Progress& progress,
                  const std::function<void(const std::filesystem::path&)>& take) const {
        const TemporaryFolder folder(place.connection->exchange());
        const std::filesystem::path into = folder.require() / "file";
        with["into"] = into.string();
        json result = callAt(place, what, std::move(with), progress).result;
        take(into);
        return result;
    }
    void saveBy(const char* what, json with, const std::filesystem::path& file, const Progress& progress) const {
        const Place place = placeThere(progress);
        if (!host_->there().isHere()) {
            const json result = callAt(place, what, std::move(with), progress).result;
            return writeFileAtomically(file, bytesOf(result, "file"));
        }
        callInto(place, what, std::move(with), progress,
                 [&](const std::filesystem::path& made) { copyFileAtomically(made, file); });
    }
    /// Whether it runs in an engine with more rights, where the other one could run, too.
    bool needsMoreThan(const RemoteSession& other) const {
        return host_ != other.host_ && host_->there().isHere() && other.host_->there().isHere() &&
               given_.torch == other.given_.torch && rightsFor(given_) == EngineRights::asTheUser &&
               rightsFor(other.given_) == EngineRights::confined;
    }
    std::shared_ptr<const RemoteSession> movedTo(const std::shared_ptr<RemoteHost>& host,
                                                 const Progress& progress) const {
        return std::dynamic_pointer_cast<const RemoteSession>(openOn(host, given_, progress, nullptr, nullptr));
    }
    struct WithFile {
        json result;
        std::string file;
    };
    /// On this machine, the file may be larger than a message, though not than what fits beside it.
    WithFile callForFile(const char* what, json with, const Progress& progress) const {
        const Place place = placeThere(progress);
        if (!host_->there().isHere()) {
            json result = callAt(place, what, std::move(with), progress).result;
            std::string file(bytesOf(result, "file"));
            return {std::move(result), std::move(file)};
        }
        WithFile made;
        made.result = callInto(place, what, std::move(with), progress, [&](const std::filesystem::path& file) {
            made.file = readFile(file, static_cast<std::uintmax_t>(availableBytes()) / 2);
        });
        return made;
    }

    std::shared_ptr<RemoteHost> host_;
    Options given_;
    Opened opened_;                 ///< as first opened
    mutable PatientMutex opening_;  ///< there
    mutable std::mutex mutex_;
    mutable Place place_;                         ///< changes when it is reopened
    std::shared_ptr<const RemoteSession> basis_;  ///< keeps the remote model loaded
};

/// Where the engine has it. Reopens it after a new connection: it must have the same graphs as here.
Place RemoteSession::placeThere(const Progress& progress) const {
    const auto opening = opening_.lock(progress);
    auto connection = host_->connection(progress);
    if (Place known = place(); known.connection == connection) return known;
    connection = host_->connection(progress, codeFor(given_));
    const Place basis = basis_ ? basis_->placeThere(progress) : Place();
    const Opened again =
        openThere(*host_, given_, basis.connection == connection ? basis.id : 0, connection, progress, nullptr);
    const CompileRecord& record = *again.content.record;
    const std::string why = !record.error.empty() ? record.error
                            : !sameGraphs(*record_, record)
                                ? "the model" + on(host_->there()) +
                                      " compiles to other graphs now than those that are shown; open it again"
                                : std::string();
    if (!why.empty()) {
        connection->drop(again.place.id);
        throw Error(why);
    }
    {
        const std::scoped_lock lock(mutex_);
        place_ = again.place;
    }
    host_->watchers().tell(connection->link());
    return again.place;
}

Connection::Reply RemoteSession::callAt(const Place& place, const char* what, json with, const Progress& progress,
                                        const Connection::Listener& listener) const {
    with["session"] = place.id;
    return place.connection->call(what, std::move(with), progress, listener);
}

SessionContent RemoteSession::content() const {
    SessionContent content = opened_.facts.saved ? opened_.content : contentOf(*this, {});
    if (!opened_.facts.saved) content.options.compilers.plugins = opened_.content.code.plugins;  // those that are used
    content.options.model = modelThere(options_.model);
    try {
        takeReference(content);
    } catch (const Error&) {  // the file then says that it cannot be run from it
    }
    return content;
}

/// Completes it with what is known where the model is, if that can be reached.
void RemoteSession::takeReference(SessionContent& content) const {
    const Place there = place().connection || !basis_ ? place() : basis_->place();
    if (!there.connection || !there.connection->alive()) return;
    const json reply = answerWithin(RemoteHost::kSoon, nameOf(host_->there()), [&](const Progress& progress) {
        return callAt(there, "reference", json::object(), progress).result;
    });
    const SessionContent known = decodeSession(bytesOf(reply, "session"));
    content.model = known.model;
    content.notExecutable = known.notExecutable;
    content.runsAsItIs = known.runsAsItIs;
    content.options.model = known.options.model;
    addCode(content.code, known.code);
    if (host_->there().isHere()) content.embeddedModel = textOf(reply, "embedded");
}

VariantTiming RemoteSession::timeAgainst(const Executable& other, const TimingOptions& timing,
                                         const Progress& progress) const {
    const auto* second = dynamic_cast<const RemoteSession*>(&other);
    if (second && needsMoreThan(*second)) return timeAgainst(*second->movedTo(host_, progress), timing, progress);
    if (second && second->needsMoreThan(*this))
        return movedTo(second->host_, progress)->timeAgainst(*second, timing, progress);
    if (!second || second->host_->there().command != host_->there().command)
        throw Error("both have to run on the same machine" +
                    (host_->there().isHere() ? " with the same torch" : ", '" + host_->there().place + "',") +
                    " to be timed together; time each of them");
    const Place here = placeThere(progress), there = second->placeThere(progress);
    if (here.connection != there.connection)
        throw Error("both have to run in the same process" + on(host_->there()) + "; open one from the other");
    json with = about(timing);
    with["other"] = there.id;
    return valueIn<VariantTiming>(host_->there(), callAt(here, "timeAgainst", std::move(with), progress).result);
}

GraphExample RemoteSession::example(const Graph& graph, GraphKind kind, ExampleValues values,
                                    const Progress& progress) const {
    auto reply =
        callForFile("example", about(AskedGraph{.graph = borrowed(graph), .kind = kind, .values = values}), progress);
    return readAnswer(host_->there(), [&] {
        auto example = unpackedOf<GraphExample>(reply.result, "value");
        example.packed = std::move(reply.file);
        return example;
    });
}

MinifyResult RemoteSession::minify(const MinifyOptions& wanted, const Progress& progress) const {
    auto reply = callForFile("minify", about(wanted), progress);
    return readAnswer(host_->there(), [&] {
        auto result = unpackedOf<MinifyResult>(reply.result, "value");
        result.example.packed = std::move(reply.file);
        if (!result.graph) throw Error("the smallest graph is missing");
        return result;
    });
}

std::shared_ptr<Debugger> RemoteSession::debug(const Progress& progress) const {
    const Place there = placeThere(progress);
    const auto reply = callAt(there, "debug", json::object(), progress);
    return readAnswer(host_->there(),
                      [&] { return makeRemoteDebugger(linkOn(there.connection, reply.id), {record_}, reply.result); });
}

TrainResult RemoteSession::train(const TrainOptions& training, const Progress& progress,
                                 const TrainListener& listener) const {
    return ask<TrainResult>("train", about(training), progress, stepsTo(host_->there(), listener));
}

}  // namespace

std::shared_ptr<const Session> openOn(const std::shared_ptr<RemoteHost>& host, const Options& options,
                                      const Progress& progress, const std::shared_ptr<const Session>& previous,
                                      PassObserver* observer) {
    const auto before = std::dynamic_pointer_cast<const RemoteSession>(previous);
    const bool same = before && before->options().model == options.model && before->host() == host;
    if (same && !observer && before->hasGraphsFor(options)) {
        progress.enter("partition");
        if (options.given)  // all except those of the partitioner are unchanged
            for (const std::string& name : options.given->names()) options.use(name);
        if (auto known = before->basisWith(options)) return known;
        const auto machine = [host, device = options.device] {
            return host->ask<MachineModel>("machine", about(device));
        };
        auto record =
            repartition(*before->record(), options.partition, rooflineTimes(machine, before->record()->costs));
        return std::make_shared<RemoteSession>(before, options, std::move(record));
    }
    const auto connection = host->connection(progress, codeFor(options));
    Opened opened = openThere(*host, options, same ? before->idOn(connection) : 0, connection, progress, observer);
    receiveLog(host, opened, same ? &before->opened() : nullptr, progress);
    return std::make_shared<RemoteSession>(host, options, std::move(opened));
}

RemoteFolders::RemoteFolders(const std::string& model) : host_(std::make_shared<RemoteHost>(remoteModel(model))) {}

RemoteFolder RemoteFolders::list(const std::string& path, const Progress& progress) const {
    const auto reply = host_->connection(progress)->call("folder", about(path), progress);
    return valueIn<RemoteFolder>(host_->there(), reply.result);
}

}  // namespace aotscope
