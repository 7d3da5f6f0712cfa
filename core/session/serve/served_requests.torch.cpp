#include "session/serve/served_requests.h"

#include "compile/compilers.h"
#include "io/session/document.h"
#include "io/session/packed.h"
#include "io/session/requested_code.h"
#include "load/model_source.h"
#include "load/trace_log/rank_logs.h"
#include "record/model_kind.h"
#include "remote/frame.h"
#include "remote/remote_options.h"
#include "remote/result_fields.h"
#include "session/open/session_saved.h"
#include "session/remote/engine_fields.h"
#include "session/remote/remote_debugger.h"
#include "support/error.h"
#include "support/file.h"
#include "support/input_file.h"
#include "support/temporary_folder.h"
#include "support/user_folders.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

using nlohmann::json;
using session_format::AskedGraph;
using session_format::packed;
using session_format::unpacked;

template <typename T>
json valueReply(const T& value) {
    return {{"value", bytesJson(packed(value))}};
}

/// A folder for files that are sent, which is then removed.
class SentFiles {
public:
    SentFiles() {
        if (!folder_.exists())
            throw Error("cannot write into '" + fs::temp_directory_path().string() + "': " + std::strerror(errno) +
                        "; free some space there");
    }
    fs::path path(const std::string& name) const { return folder_.path() / name; }
    std::string bytes(const std::string& name) const { return readFile(path(name), kLargestFrame); }

private:
    TemporaryFolder folder_;
};

/// The bytes that `write` writes to the given file.
std::string bytesWritten(const std::function<void(const fs::path&)>& write) {
    const SentFiles files;
    write(files.path("file"));
    return files.bytes("file");
}

std::shared_ptr<const Session> sessionOf(const ServedRequest& request) {
    return request.objects.session(numberOf(request.with, "session"));
}

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

json describeSession(const Session& session) {
    SessionContent content = session.saved() ? *session.saved() : contentOf(session, {});
    content.options = session.options();
    if (!session.saved()) dropUnusedPlugins(content.options.compilers, compilerList);
    content.inputSpec = session.inputSpec();
    const auto log = session.trace();
    return {{"session", bytesJson(encodeSession(std::move(content)))},
            {"saved", session.saved() != nullptr},
            {"compileIds", session.compileIds()},
            {"log", log ? log->path.string() : std::string()},
            {"rank", session.rankPrefix()},
            {"whyNotCompiled", session.whyNotCompiled()},
            {"whyNotExecutable", session.whyNotExecutable()},
            {"whyNoOtherInputs", session.whyNoOtherInputs()}};
}

Options optionsIn(const ServedRequest& request) {
    Options options = allOptionsFrom(memberOf(request.with, "options"));
    options.model = withHome(options.model);
    if (isRemote(options.model)) throw Error("the model is on a third machine; open it from here");
    return options;
}

json openSession(const ServedRequest& request) {
    const Options options = optionsIn(request);
    TellingObserver observer(request);
    auto session = request.engine.open(options, request.progress,
                                       request.objects.sessionOrNull(numberOf(request.with, "previous")),
                                       truthOf(request.with, "observed") ? &observer : nullptr);
    request.progress.enter("sending");
    json description = describeSession(*session);
    description["use"] = optionUseJson(options);
    request.objects.keep(request.id, std::move(session));
    return description;
}

/// What a session file says of the model, besides the results.
json sendReference(const ServedRequest& request) {
    SessionContent content = sessionOf(request)->content();
    json reply = {{"embedded", content.embeddedModel.string()}};
    content.record = std::make_shared<CompileRecord>();
    reply["session"] = bytesJson(encodeSession(std::move(content)));
    return reply;
}

json listFolder(const ServedRequest& request) {
    constexpr std::size_t most = 10'000;
    const fs::path asked = withHome(textOf(request.with, "path"));
    std::error_code failure;
    fs::path folder = fs::absolute(asked, failure);
    if (!fs::is_directory(folder, failure)) folder = folder.parent_path();
    json entries = json::array();
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
        request.progress.throwIfCancelled();
        if (entries.size() == most) break;
        std::error_code unknown;
        const bool isFolder = entry->is_directory(unknown);
        const auto bytes = isFolder ? 0 : entry->file_size(unknown);
        entries.push_back({{"name", entry->path().filename().string()},
                           {"folder", isFolder},
                           {"bytes", unknown ? std::uint64_t{0} : static_cast<std::uint64_t>(bytes)}});
    }
    if (failure) throw Error("cannot list the folder '" + folder.string() + "': " + failure.message());
    return {{"path", folder.string()}, {"entries", std::move(entries)}};
}

// --- logs of TORCH_TRACE ---

json listLogs(const ServedRequest& r) {
    json logs = json::array();
    for (const fs::path& log : traceLogsAt(withHome(textOf(r.with, "path")))) {
        if (recogniseFile(log) != ModelSource::trace)
            throw Error("'" + log.string() +
                        "' is not a TORCH_TRACE log; expected a file such as dedicated_log_torch_trace_rank_0.log");
        logs.push_back({{"name", log.filename().string()},
                        {"path", log.string()},
                        {"bytes", InputFile(log).size()},
                        {"written", std::to_string(fs::last_write_time(log).time_since_epoch().count())}});
    }
    return {{"logs", std::move(logs)}};
}

json sendLogPiece(const ServedRequest& r) {
    constexpr std::uint64_t most = std::uint64_t{16} << 20;
    const InputFile log(textOf(r.with, "path"));
    std::string bytes(std::min(numberOf(r.with, "count"), most), '\0');
    bytes.resize(log.readAt(numberOf(r.with, "offset"), bytes.data(), bytes.size()));
    return {{"bytes", bytesJson(bytes)}};
}

// --- running ---

TimingOptions timingOf(const ServedRequest& request) {
    return unpacked<TimingOptions>(bytesOf(request.with, "timing"));
}

json sendCompilers(const ServedRequest& r) { return valueReply(sessionOf(r)->compilers(r.progress)); }
json sendCheck(const ServedRequest& r) { return valueReply(sessionOf(r)->check(r.progress)); }
json sendBisection(const ServedRequest& r) { return valueReply(sessionOf(r)->bisect(r.progress)); }
json sendTimes(const ServedRequest& r) { return valueReply(sessionOf(r)->time(timingOf(r), r.progress)); }

json sendVariantTimes(const ServedRequest& r) {
    const auto other = r.objects.session(numberOf(r.with, "other"));
    return valueReply(sessionOf(r)->timeAgainst(*other, timingOf(r), r.progress));
}

TrainListener tellSteps(const ServedRequest& r) {
    return [&r](const TrainStep& step) { r.tell({{"step", bytesJson(packed(step))}}); };
}

json sendTraining(const ServedRequest& r) {
    return valueReply(
        sessionOf(r)->train(unpacked<TrainOptions>(bytesOf(r.with, "training")), r.progress, tellSteps(r)));
}

json sendTorchScript(const ServedRequest& r) {
    const auto asked = unpacked<AskedGraph>(bytesOf(r.with, "graph"));
    if (!asked.graph) throw Error("there is no graph to export");
    const auto form = truthOf(r.with, "module") ? TorchScriptForm::module : TorchScriptForm::text;
    const std::string bytes = bytesWritten(
        [&](const fs::path& file) { sessionOf(r)->saveTorchScript(*asked.graph, asked.kind, form, file); });
    return {{"file", bytesJson(bytes)}};
}

json sendValues(const ServedRequest& r) {
    return {
        {"file", bytesJson(bytesWritten([&](const fs::path& file) { sessionOf(r)->saveValues(file, r.progress); }))}};
}

json sendExample(const ServedRequest& r) {
    const auto asked = unpacked<AskedGraph>(bytesOf(r.with, "graph"));
    if (!asked.graph) throw Error("there is no graph to find an example for");
    const auto values = static_cast<ExampleValues>(std::min<std::uint64_t>(numberOf(r.with, "values"), 2));
    const GraphExample example = sessionOf(r)->example(*asked.graph, asked.kind, values, r.progress);
    json reply = valueReply(example);
    reply["file"] = bytesJson(example.packed);
    return reply;
}

json sendSmallestGraph(const ServedRequest& r) {
    const MinifyResult result = sessionOf(r)->minify(unpacked<MinifyOptions>(bytesOf(r.with, "wanted")), r.progress);
    json reply = valueReply(result);
    reply["file"] = bytesJson(result.example.packed);
    return reply;
}

// --- all ranks of a program ---

json openRanks(const ServedRequest& r) {
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

std::shared_ptr<const Ranks> ranksOf(const ServedRequest& r) { return r.objects.ranks(numberOf(r.with, "ranks")); }

json sendRankResults(const ServedRequest& r) {
    RankJob job;
    job.check = truthOf(r.with, "check");
    job.timing = unpacked<std::optional<TimingOptions>>(bytesOf(r.with, "timing"));
    job.training = unpacked<std::optional<TrainOptions>>(bytesOf(r.with, "training"));
    job.listener = tellSteps(r);
    const bool withValues = truthOf(r.with, "values");
    const SentFiles files;
    if (withValues) job.values = files.path("{rank}");
    json results = json::array();
    for (const RankRun& run : ranksOf(r)->run(job, r.progress)) {
        json result = {{"check", bytesJson(packed(run.check))},
                       {"timing", bytesJson(packed(run.timing))},
                       {"training", bytesJson(packed(run.training))}};
        if (withValues) result["values"] = bytesJson(files.bytes(std::to_string(results.size())));
        results.push_back(std::move(result));
    }
    return {{"results", std::move(results)}};
}

// --- the debugger ---

json keepStarted(const ServedRequest& r, std::shared_ptr<Debugger> debugger) {
    json start = startOfDebugger(*debugger);
    r.objects.keep(r.id, std::move(debugger));
    return start;
}

json startDebugger(const ServedRequest& r) { return keepStarted(r, sessionOf(r)->debug(r.progress)); }
json startRanksDebugger(const ServedRequest& r) { return keepStarted(r, ranksOf(r)->debug(r.progress)); }

json runCommand(const ServedRequest& r) {
    const auto debugger = r.objects.debugger(numberOf(r.with, "debugger"));
    auto other = r.with.contains("other") ? r.objects.debugger(numberOf(r.with, "other")) : nullptr;
    return answerOfDebugger(*debugger, std::move(other), r.with, r.progress);
}

// --- about the engine ---

json sendDevices(const ServedRequest& r) { return valueReply(r.engine.devices()); }

json sendWhyDeviceCannotRun(const ServedRequest& r) {
    return {{"why", r.engine.whyDeviceCannotRun(textOf(r.with, "device"))}};
}

json sendCompilerList(const ServedRequest& r) {
    const auto plugins = textsOf(r.with, "plugins");
    return valueReply(r.engine.compilers({plugins.begin(), plugins.end()}));
}

json sendMachine(const ServedRequest& r) { return valueReply(r.engine.machine(textOf(r.with, "device"))); }
json sendCalibration(const ServedRequest& r) { return valueReply(r.engine.calibrate(textOf(r.with, "device"))); }

json sendPlan(const ServedRequest& r) {
    const auto asked = unpacked<AskedGraph>(bytesOf(r.with, "graph"));
    if (!asked.graph) throw Error("there is no graph to plan");
    return {{"names", r.engine.planByFunction(textOf(r.with, "function"), *asked.graph)}};
}

json sendDecompositionRules(const ServedRequest& r) { return valueReply(r.engine.decompositionRules()); }

json sendLevels(const ServedRequest& r) {
    const auto asked = unpacked<AskedGraph>(bytesOf(r.with, "graph"));
    if (!asked.graph) throw Error("there is no graph to lower");
    return valueReply(r.engine.irLevels(asked.graph));
}

json sendScript(const ServedRequest& r) {
    const std::string model = textOf(r.with, "model");
    return {{"file", bytesJson(bytesWritten([&](const fs::path& file) { r.engine.saveScript(model, file); }))}};
}

struct Served {
    std::string_view name;
    json (*carryOut)(const ServedRequest&);
    bool aside = false;  ///< see runsAside
};

constexpr Served kServed[] = {
    {"open", openSession},
    {"folder", listFolder},
    {"logs", listLogs},
    {"logPiece", sendLogPiece},
    {"reference", sendReference, true},
    {"compilers", sendCompilers},
    {"check", sendCheck},
    {"bisect", sendBisection},
    {"time", sendTimes},
    {"timeAgainst", sendVariantTimes},
    {"train", sendTraining},
    {"saveTorchScript", sendTorchScript},
    {"saveValues", sendValues},
    {"example", sendExample},
    {"minify", sendSmallestGraph},
    {"debug", startDebugger},
    {"command", runCommand},
    {"compileRanks", openRanks},
    {"runRanks", sendRankResults},
    {"debugRanks", startRanksDebugger},
    {"devices", sendDevices},
    {"whyDeviceCannotRun", sendWhyDeviceCannotRun},
    {"compilerList", sendCompilerList},
    {"machine", sendMachine},
    {"calibrate", sendCalibration},
    {"plan", sendPlan},
    {"decompositionRules", sendDecompositionRules},
    {"irLevels", sendLevels},
    {"script", sendScript},
};

}  // namespace

bool runsAside(std::string_view what) {
    const auto* found = std::ranges::find(kServed, what, &Served::name);
    return found != std::end(kServed) && found->aside;
}

json carryOut(const std::string& what, const ServedRequest& request) {
    const auto* found = std::ranges::find(kServed, what, &Served::name);
    if (found == std::end(kServed)) throw Error("aotscope serves no '" + what + "'");
    return found->carryOut(request);
}

void ServedObjects::keep(std::uint64_t id, std::shared_ptr<const Session> session) {
    const std::scoped_lock lock(mutex_);
    sessions_[id] = std::move(session);
}

void ServedObjects::keep(std::uint64_t id, std::shared_ptr<Debugger> debugger) {
    const std::scoped_lock lock(mutex_);
    debuggers_[id] = std::move(debugger);
}

void ServedObjects::keep(std::uint64_t id, std::shared_ptr<const Ranks> ranks) {
    const std::scoped_lock lock(mutex_);
    ranks_[id] = std::move(ranks);
}

void ServedObjects::drop(std::uint64_t id) {
    const std::scoped_lock lock(mutex_);
    ranks_.erase(id);
    sessions_.erase(id);
    debuggers_.erase(id);
}

void ServedObjects::dropAll() {
    const std::scoped_lock lock(mutex_);
    for (const auto& [id, session] : sessions_) session->removeUnpacked();
    debuggers_.clear();
    ranks_.clear();
    sessions_.clear();
}

std::shared_ptr<const Session> ServedObjects::sessionOrNull(std::uint64_t id) const {
    const std::scoped_lock lock(mutex_);
    const auto found = sessions_.find(id);
    return found == sessions_.end() ? nullptr : found->second;
}

std::shared_ptr<const Session> ServedObjects::session(std::uint64_t id) const {
    auto session = sessionOrNull(id);
    if (!session) throw Error("the session is no longer open there; open the model again");
    return session;
}

std::shared_ptr<const Ranks> ServedObjects::ranks(std::uint64_t id) const {
    const std::scoped_lock lock(mutex_);
    const auto found = ranks_.find(id);
    if (found == ranks_.end()) throw Error("the ranks no longer exist; compile them again");
    return found->second;
}

std::shared_ptr<Debugger> ServedObjects::debugger(std::uint64_t id) const {
    const std::scoped_lock lock(mutex_);
    const auto found = debuggers_.find(id);
    if (found == debuggers_.end()) throw Error("the run of the debugger is over; start it again");
    return found->second;
}

}  // namespace aotscope
