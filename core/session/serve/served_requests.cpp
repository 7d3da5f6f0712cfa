#include "session/serve/served_requests.h"

#include "io/session/document.h"
#include "io/session/requested_code.h"
#include "load/files_here.h"
#include "record/model_kind.h"
#include "remote/frame.h"
#include "remote/remote_options.h"
#include "session/open/session_saved.h"
#include "session/remote/log_message.h"
#include "session/remote/message_fields.h"
#include "session/remote/remote_debugger.h"
#include "session/session_limits.h"
#include "support/error.h"
#include "support/file.h"
#include "support/input_file.h"
#include "support/temporary_folder.h"
#include "support/user_folders.h"

#include <algorithm>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

using nlohmann::json;
using session_format::AskedGraph;
using session_format::packedJson;
using session_format::unpackedOf;

using Request = const ServedRequest&;

template <typename T>
T askedFor(Request request) {
    return unpackedOf<T>(request.with, "about");
}

AskedGraph graphIn(Request request) {
    auto asked = askedFor<AskedGraph>(request);
    if (!asked.graph) throw Error("the request has no graph");
    return asked;
}

template <typename T>
json answer(const T& value) {
    return {{"value", packedJson(value)}};
}

/// A folder for files that are sent, which is then removed.
class SentFiles {
public:
    SentFiles() { folder_.require(); }
    fs::path path(const std::string& name) const { return folder_.path() / name; }
    std::string bytes(const std::string& name) const { return readFile(path(name), kLargestFrame); }

private:
    TemporaryFolder folder_;
};

/// Where a client on this machine wants the file of an answer; empty: in the answer.
fs::path placeOfFile(Request r) { return r.with.contains("into") ? textOf(r.with, "into") : std::string(); }

/// The file that `write` writes to the given path.
json answerFile(Request r, const std::function<void(const fs::path&)>& write) {
    if (const fs::path into = placeOfFile(r); !into.empty()) {
        write(into);
        return json::object();
    }
    const SentFiles files;
    write(files.path("file"));
    return {{"file", bytesJson(files.bytes("file"))}};
}

json withFile(Request r, json reply, const std::string& bytes) {
    if (const fs::path into = placeOfFile(r); !into.empty()) writeFileAtomically(into, bytes);
    else reply["file"] = bytesJson(bytes);
    return reply;
}

std::shared_ptr<const Session> sessionOf(Request r) { return r.objects.session(numberOf(r.with, "session")); }
std::shared_ptr<const Ranks> ranksOf(Request r) { return r.objects.ranks(numberOf(r.with, "ranks")); }

/// Resolves "~/x" in the home folder of this user.
std::string withHome(const std::string& path) {
    return path.starts_with("~/") ? (userHomeFolder() / path.substr(2)).string() : path;
}

// --- opening ---

/// Sends what exists between two passes, and waits.
class TellingObserver final : public PassObserver {
public:
    explicit TellingObserver(const ServedRequest& request) : request_(request) {}

    void betweenPasses(const CompileRecord& record, std::string_view next, const Progress& /*progress*/) override {
        SessionContent content;
        content.record = std::make_shared<CompileRecord>(record);
        request_.tell({{"session", bytesJson(encodeSession(std::move(content)))}, {"next", std::string(next)}});
        request_.waitForClient();
    }

private:
    const ServedRequest& request_;
};

json describeSession(const Session& session, const Engine& engine) {
    SessionContent content = session.saved() ? *session.saved() : contentOf(session, {});
    content.options = session.options();
    if (!session.saved())
        dropUnusedPlugins(content.options.compilers, [&](const auto& plugins) { return engine.compilers(plugins); });
    content.inputSpec = session.inputSpec();
    const auto log = session.trace();
    json description = answer(session_format::SessionFacts{.ofSessionFile = session.ofSessionFile(),
                                                           .saved = session.saved() != nullptr,
                                                           .compileIds = session.compileIds(),
                                                           .log = log ? log->path : fs::path(),
                                                           .logWritten = log ? log->written : 0,
                                                           .logBytes = log ? log->bytes : 0,
                                                           .rank = session.rankPrefix(),
                                                           .whyNotCompiled = session.whyNotCompiled(),
                                                           .whyNotExecutable = session.whyNotExecutable(),
                                                           .whyNoOtherInputs = session.whyNoOtherInputs()});
    description["session"] = bytesJson(encodeSession(std::move(content)));
    return description;
}

Options optionsIn(Request request) {
    Options options = allOptionsFrom(memberOf(request.with, "options"));
    options.model = withHome(options.model);
    if (isRemote(options.model)) throw Error("the model is on a third machine; open it from here");
    return options;
}

json openSession(Request request) {
    const Options options = optionsIn(request);
    TellingObserver observer(request);
    auto session = request.engine.open(options, request.progress,
                                       request.objects.find<const Session>(numberOf(request.with, "previous")),
                                       truthOf(request.with, "observed") ? &observer : nullptr);
    request.progress.enter("sending");
    json description = describeSession(*session, request.engine);
    description["use"] = optionUseJson(options);
    request.objects.keep(request.id, std::move(session));
    return description;
}

/// What a session file says of the model, besides the results.
json sendReference(Request request) {
    SessionContent content = sessionOf(request)->content();
    json reply = {{"embedded", content.embeddedModel.string()}};
    content.record = std::make_shared<CompileRecord>();
    reply["session"] = bytesJson(encodeSession(std::move(content)));
    return reply;
}

json listFolder(Request request) {
    constexpr std::size_t most = 10'000;
    const fs::path asked = withHome(askedFor<std::string>(request));
    std::error_code failure;
    fs::path folder = fs::absolute(asked, failure);
    if (!fs::is_directory(folder, failure)) folder = folder.parent_path();
    RemoteFolder found{folder.string(), {}};
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
        request.progress.throwIfCancelled();
        if (found.entries.size() == most) break;
        std::error_code unknown;
        const bool isFolder = entry->is_directory(unknown);
        const auto bytes = isFolder ? 0 : entry->file_size(unknown);
        found.entries.push_back({entry->path().filename().string(), isFolder, unknown ? 0 : bytes});
    }
    if (failure) throw Error("cannot list the folder '" + folder.string() + "': " + failure.message());
    return answer(found);
}

// --- logs of TORCH_TRACE, and files ---

json listLogs(Request r) { return answer(filesHere()->logsAt(withHome(askedFor<std::string>(r)), r.progress)); }

json sendLog(const TraceLog& log) { return {{"log", bytesJson(packedLog(log))}}; }

json readLog(Request r) {
    const auto path = askedFor<std::string>(r);
    const WatchedReading reading({.model = path});
    return sendLog(*filesHere()->readLog(path, r.progress));
}

json sendLogOf(Request r) {
    const auto log = sessionOf(r)->trace();
    if (!log) throw Error("the session is not of a log of TORCH_TRACE");
    return sendLog(*log);
}

json sendPiece(Request r) {
    constexpr std::uint64_t most = std::uint64_t{16} << 20;
    const InputFile file(textOf(r.with, "path"));
    std::string bytes(std::min(numberOf(r.with, "count"), most), '\0');
    bytes.resize(file.readAt(numberOf(r.with, "offset"), bytes.data(), bytes.size()));
    return {{"bytes", bytesJson(bytes)}};
}

// --- running ---

TrainListener tellSteps(Request r) {
    return [&r](const TrainStep& step) { r.tell({{"step", packedJson(step)}}); };
}

json sendTorchScript(Request r) {
    const AskedGraph asked = graphIn(r);
    return answerFile(
        r, [&](const fs::path& file) { sessionOf(r)->saveTorchScript(*asked.graph, asked.kind, asked.form, file); });
}

json sendExample(Request r) {
    const AskedGraph asked = graphIn(r);
    const GraphExample example = sessionOf(r)->example(*asked.graph, asked.kind, asked.values, r.progress);
    return withFile(r, answer(example), example.packed);
}

json sendSmallestGraph(Request r) {
    const MinifyResult result = sessionOf(r)->minify(askedFor<MinifyOptions>(r), r.progress);
    return withFile(r, answer(result), result.example.packed);
}

// --- all ranks of a program ---

json openRanks(Request r) {
    const Options options = optionsIn(r);
    const auto count = static_cast<std::size_t>(numberOf(r.with, "count"));
    auto ranks = r.engine.compileRanks(options, count, r.progress, {.numbered = truthOf(r.with, "numbered")});
    json list = json::array();
    for (const RankRun& run : ranks->runs()) {
        SessionContent content;
        content.record = run.session->record();
        list.push_back({{"session", bytesJson(encodeSession(std::move(content)))}});
    }
    r.objects.keep(r.id, std::move(ranks));
    return {{"ranks", std::move(list)}, {"use", optionUseJson(options)}};
}

json sendRankResults(Request r) {
    auto job = askedFor<RankJob>(r);
    job.listener = tellSteps(r);
    const SentFiles files;
    const bool sends = !job.values.empty() && !job.values.is_absolute();
    if (sends) job.values = files.path("{rank}");
    const auto runs = ranksOf(r)->run(job, r.progress);
    json results = answer(runs), sent = json::array();
    for (std::size_t rank = 0; rank < runs.size() && sends; ++rank)
        sent.push_back({{"file", bytesJson(files.bytes(std::to_string(rank)))}});
    results["files"] = std::move(sent);
    return results;
}

// --- the debugger ---

json keepStarted(const ServedRequest& r, std::shared_ptr<Debugger> debugger) {
    json start = startOfDebugger(*debugger);
    r.objects.keep(r.id, std::move(debugger));
    return start;
}

json runCommand(Request r) {
    const auto debugger = r.objects.debugger(numberOf(r.with, "debugger"));
    auto other = r.with.contains("other") ? r.objects.debugger(numberOf(r.with, "other")) : nullptr;
    return answerOfDebugger(*debugger, std::move(other), r.with, r.progress);
}

struct Served {
    std::string_view name;
    json (*carryOut)(Request);
    bool aside = false;  ///< see runsAside
};

constexpr Served kServed[] = {
    {"open", openSession},
    {"folder", listFolder},
    {"logs", listLogs},
    {"log", readLog},
    {"logOf", sendLogOf},
    {"piece", sendPiece},
    {"reference", sendReference, true},
    {"compilers", [](Request r) { return answer(sessionOf(r)->compilers(r.progress)); }},
    {"check", [](Request r) { return answer(sessionOf(r)->check(r.progress)); }},
    {"bisect", [](Request r) { return answer(sessionOf(r)->bisect(r.progress)); }},
    {"time", [](Request r) { return answer(sessionOf(r)->time(askedFor<TimingOptions>(r), r.progress)); }},
    {"measureOperators", [](Request r) { return answer(sessionOf(r)->measureOperators(r.progress)); }},
    {"operatorCosts",
     [](Request r) {
         return answer(sessionOf(r)->executable(r.progress).operatorCosts(askedFor<SymbolValues>(r), r.progress));
     }},
    {"timeAgainst",
     [](Request r) {
         const auto other = r.objects.session(numberOf(r.with, "other"));
         return answer(sessionOf(r)->timeAgainst(*other, askedFor<TimingOptions>(r), r.progress));
     }},
    {"train",
     [](Request r) { return answer(sessionOf(r)->train(askedFor<TrainOptions>(r), r.progress, tellSteps(r))); }},
    {"saveTorchScript", sendTorchScript},
    {"saveValues",
     [](Request r) {
         return answerFile(r, [&](const fs::path& file) { sessionOf(r)->saveValues(file, r.progress); });
     }},
    {"example", sendExample},
    {"minify", sendSmallestGraph},
    {"debug", [](Request r) { return keepStarted(r, sessionOf(r)->debug(r.progress)); }},
    {"command", runCommand},
    {"compileRanks", openRanks},
    {"runRanks", sendRankResults},
    {"debugRanks", [](Request r) { return keepStarted(r, ranksOf(r)->debug(r.progress)); }},
    {"devices", [](Request r) { return answer(r.engine.devices()); }},
    {"whyDeviceCannotRun", [](Request r) { return answer(r.engine.whyDeviceCannotRun(askedFor<std::string>(r))); }},
    {"compilerList", [](Request r) { return answer(r.engine.compilers(askedFor<std::vector<fs::path>>(r))); }},
    {"machine", [](Request r) { return answer(r.engine.machine(askedFor<std::string>(r))); }},
    {"calibrate", [](Request r) { return answer(r.engine.calibrate(askedFor<std::string>(r))); }},
    {"plan",
     [](Request r) {
         const AskedGraph asked = graphIn(r);
         return answer(r.engine.planByFunction(asked.function, *asked.graph));
     }},
    {"decompositionRules", [](Request r) { return answer(r.engine.decompositionRules()); }},
    {"irLevels", [](Request r) { return answer(r.engine.irLevels(graphIn(r).graph)); }},
    {"script",
     [](Request r) {
         return answerFile(r, [&](const fs::path& file) { r.engine.saveScript(askedFor<std::string>(r), file); });
     }},
};

/// Null if there is no such request.
const Served* servedBy(std::string_view what) {
    const auto* found = std::ranges::find(kServed, what, &Served::name);
    return found == std::end(kServed) ? nullptr : found;
}

}  // namespace

bool runsAside(std::string_view what) {
    const Served* served = servedBy(what);
    return served && served->aside;
}

json carryOut(const std::string& what, const ServedRequest& request) {
    const Served* served = servedBy(what);
    if (!served) throw Error("aotscope serves no '" + what + "'");
    return served->carryOut(request);
}

void ServedObjects::keep(std::uint64_t id, ServedObject object) {
    const std::scoped_lock lock(mutex_);
    objects_.insert_or_assign(id, std::move(object));
}

void ServedObjects::drop(std::uint64_t id) {
    decltype(objects_)::node_type dropped;  // destroyed when others need not wait for it
    const std::scoped_lock lock(mutex_);
    dropped = objects_.extract(id);
}

void ServedObjects::dropAll() {
    const std::scoped_lock lock(mutex_);
    for (const auto& [id, object] : objects_)
        if (const auto* session = std::get_if<std::shared_ptr<const Session>>(&object)) (*session)->removeUnpacked();
    objects_.clear();
}

std::shared_ptr<const Session> ServedObjects::session(std::uint64_t id) const {
    auto session = find<const Session>(id);
    if (!session) throw Error("the session is no longer open there; open the model again");
    return session;
}

std::shared_ptr<const Ranks> ServedObjects::ranks(std::uint64_t id) const {
    auto ranks = find<const Ranks>(id);
    if (!ranks) throw Error("the ranks no longer exist; compile them again");
    return ranks;
}

std::shared_ptr<Debugger> ServedObjects::debugger(std::uint64_t id) const {
    auto debugger = find<Debugger>(id);
    if (!debugger) throw Error("the run of the debugger is over; start it again");
    return debugger;
}

}  // namespace aotscope
