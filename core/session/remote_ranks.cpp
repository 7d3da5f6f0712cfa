#include "session/remote_ranks.h"

#include "io/session/document.h"
#include "io/session/packed.h"
#include "io/session/sound_content.h"
#include "record/remote_model.h"
#include "remote/remote_options.h"
#include "remote/result_fields.h"
#include "session/graph_session.h"
#include "session/remote_host.h"
#include "session/served_requests.h"
#include "session/session_saved.h"
#include "support/file.h"
#include "support/temporary_folder.h"

#include <cerrno>
#include <cstring>

namespace aotscope {

namespace {

using nlohmann::json;
using session_format::listIn;
using session_format::packed;
using session_format::unpacked;

/// One of several ranks that have run together there.
class RankThere final : public GraphSession {
public:
    RankThere(const Options& options, std::shared_ptr<const CompileRecord> record)
        : options_(options), record_(std::move(record)) {}

    const Options& options() const override { return options_; }
    std::shared_ptr<const CompileRecord> record() const override { return record_; }
    std::string whyNotExecutable() const override {
        return "the ranks are on '" + remoteModel(options_.model).place +
               "'; to step them, or to compare their values, use aotscope there";
    }
    SessionContent content() const override { return contentOf(*this, {}); }

private:
    Options options_;
    std::shared_ptr<const CompileRecord> record_;
};

std::vector<RankRun> compiledThere(const RemoteModel& there, const Options& options, std::size_t count,
                                   const json& reply) {
    return received(there, [&] {
        std::vector<RankRun> runs;
        for (const json& rank : listIn(memberOf(reply, "ranks"))) {
            Options own = optionsOfRank(options, runs.size(), count);
            auto session = std::make_shared<RankThere>(own, decodeSession(bytesOf(rank, "session")).record);
            runs.push_back({std::move(own), std::move(session), {}, {}});
        }
        if (runs.size() != count) throw Error("it has " + std::to_string(runs.size()) + " ranks");
        return runs;
    });
}

/// What one rank has done.
void takeResult(const RemoteModel& there, RankRun& run, const json& result) {
    received(there, [&] {
        SessionContent content;
        content.record = run.session->record();
        content.check = run.check = unpacked<CheckResult>(bytesOf(result, "check"));
        requireSound(content);
        run.timing = unpacked<std::optional<TimingResult>>(bytesOf(result, "timing"));
        run.training = unpacked<std::optional<TrainResult>>(bytesOf(result, "training"));
    });
}

json asked(const RemoteModel& there, Options options, std::size_t count) {
    options.model = there.model;
    return {{"options", allOptionsJson(options)}, {"count", count}};
}

json sessionsOf(const std::vector<RankRun>& runs) {
    json list = json::array();
    for (const RankRun& run : runs) {
        SessionContent content;
        content.record = run.session->record();
        list.push_back({{"session", bytesJson(encodeSession(std::move(content)))}});
    }
    return {{"ranks", std::move(list)}};
}

}  // namespace

std::vector<RankRun> compileRanksThere(const Options& options, std::size_t count, const Progress& progress) {
    RemoteHost host(remoteModel(options.model));
    const auto reply =
        host.connection(progress)->call("compileRanks", asked(host.there(), options, count), progress).result;
    return compiledThere(host.there(), options, count, reply);
}

std::vector<RankRun> checkRanksThere(const Options& options, std::size_t count, const RankJob& job,
                                     const Progress& progress, const RanksCompiled& compiled) {
    RemoteHost host(remoteModel(options.model));
    json with = asked(host.there(), options, count);
    with["check"] = job.check;
    with["timing"] = bytesJson(packed(job.timing));
    with["training"] = bytesJson(packed(job.training));
    with["values"] = !job.values.empty();
    std::vector<RankRun> runs;
    const auto hear = [&](const json& event, std::uint64_t /*id*/) {
        if (event.contains("step")) {
            const auto step = received(host.there(), [&] { return unpacked<TrainStep>(bytesOf(event, "step")); });
            if (job.listener) job.listener(step);
            return;
        }
        runs = compiledThere(host.there(), options, count, event);
        if (compiled) compiled(runs);
    };
    const json reply = host.connection(progress)->call("checkRanks", std::move(with), progress, hear).result;
    const json results = received(host.there(), [&] { return listIn(memberOf(reply, "results")); });
    if (runs.size() != count || results.size() != count)
        throw Error("the answer of aotscope on '" + host.there().place + "' is damaged: ranks are missing");
    for (std::size_t rank = 0; rank < count; ++rank) {
        takeResult(host.there(), runs[rank], results[rank]);
        if (!job.values.empty())
            writeFileAtomically(ofRank(job.values.string(), rank), bytesOf(results[rank], "values"));
    }
    return runs;
}

json answerRanks(const Options& options, const ServedRequest& request) {
    const auto count = static_cast<std::size_t>(numberOf(request.with, "count"));
    if (!request.with.contains("check")) return sessionsOf(compileRanks(options, count, request.progress));
    RankJob job;
    job.check = truthOf(request.with, "check");
    job.timing = unpacked<std::optional<TimingOptions>>(bytesOf(request.with, "timing"));
    job.training = unpacked<std::optional<TrainOptions>>(bytesOf(request.with, "training"));
    job.listener = [&](const TrainStep& step) { request.tell({{"step", bytesJson(packed(step))}}); };
    const TemporaryFolder folder;
    if (truthOf(request.with, "values")) {
        if (!folder.exists()) throw Error(std::string("cannot make a temporary folder: ") + std::strerror(errno));
        job.values = folder.path() / "{rank}";
    }
    const auto runs = checkRanks(options, count, job, request.progress,
                                 [&](const std::vector<RankRun>& compiled) { request.tell(sessionsOf(compiled)); });
    json results = json::array();
    for (std::size_t rank = 0; rank < runs.size(); ++rank) {
        const RankRun& run = runs[rank];
        json result = {{"check", bytesJson(packed(run.check))},
                       {"timing", bytesJson(packed(run.timing))},
                       {"training", bytesJson(packed(run.training))}};
        if (!job.values.empty())
            result["values"] = bytesJson(readFile(ofRank(job.values.string(), rank), kLargestFrame));
        results.push_back(std::move(result));
    }
    return {{"results", std::move(results)}};
}

}  // namespace aotscope
