#include "session/remote/remote_ranks.h"

#include "io/session/document.h"
#include "io/session/packed.h"
#include "io/session/sound_content.h"
#include "record/model_kind.h"
#include "remote/remote_options.h"
#include "remote/result_fields.h"
#include "session/open/session_saved.h"
#include "session/rank_options.h"
#include "session/remote/remote_debugger.h"
#include "session/remote/remote_host.h"
#include "support/file.h"
#include "support/names.h"

namespace aotscope {

namespace {

using nlohmann::json;
using session_format::packed;
using session_format::unpacked;

/// Remotely compiled ranks, identified by the request that compiled them; they are kept there as long as this object.
class PlaceOfRanks {
public:
    PlaceOfRanks(std::shared_ptr<Connection> connection, std::uint64_t id)
        : connection_(std::move(connection)), id_(id) {}
    PlaceOfRanks(const PlaceOfRanks&) = delete;
    PlaceOfRanks& operator=(const PlaceOfRanks&) = delete;
    ~PlaceOfRanks() { connection_->drop(id_); }

    const std::shared_ptr<Connection>& connection() const { return connection_; }
    std::uint64_t id() const { return id_; }

private:
    std::shared_ptr<Connection> connection_;
    std::uint64_t id_;
};

/// One of several ranks that run together remotely.
class RankThere final : public Session {
public:
    RankThere(std::shared_ptr<RemoteHost> host, std::shared_ptr<const PlaceOfRanks> place, const Options& options,
              std::shared_ptr<const CompileRecord> record)
        : Session(options, std::move(record)), host_(std::move(host)), place_(std::move(place)) {}

    std::shared_ptr<RemoteHost> host() const override { return host_; }
    const PlaceOfRanks& place() const { return *place_; }

    std::string whyNotCompiled() const override { return whyNotExecutable(); }
    std::string whyNotExecutable() const override {
        return "the rank is on '" + host_->there().place + "', where it can only run together with the others";
    }
    SessionContent content() const override { return contentOf(*this, {}); }

private:
    std::shared_ptr<RemoteHost> host_;
    std::shared_ptr<const PlaceOfRanks> place_;
};

/// The ranks that a request has compiled and keeps.
class AskedRanks {
public:
    AskedRanks(const Options& options, std::size_t count, const RankSource& source)
        : options_(options),
          count_(count),
          numbered_(source.numbered),
          host_(hostOf(remoteModel(options.model), source.beside)) {}

    const RemoteModel& there() const { return host_->there(); }
    std::shared_ptr<Connection> connection(const Progress& progress) const { return host_->connection(progress); }
    json request() const {
        Options options = options_;
        options.model = remoteModel(options.model).model;
        return {{"options", allOptionsJson(options)}, {"count", count_}, {"numbered", numbered_}};
    }
    std::vector<RankRun> compiled(const std::shared_ptr<Connection>& connection, std::uint64_t id,
                                  const json& reply) const {
        const auto place = std::make_shared<const PlaceOfRanks>(connection, id);
        options_.use("--remote-command");
        return readAnswer(there(), [&] {
            if (reply.contains("use")) takeOptionUse(objectOf(reply, "use"), options_);
            std::vector<RankRun> runs;
            for (const json& rank : listOf(reply, "ranks")) {
                if (runs.size() == count_) throw Error("it has too many ranks");
                Options own = optionsOfRank(options_, runs.size(), count_);
                auto record = decodeSession(bytesOf(rank, "session")).record;
                auto session = std::make_shared<RankThere>(host_, place, own, std::move(record));
                runs.push_back({std::move(own), std::move(session), {}, {}});
            }
            if (runs.size() != count_) throw Error("it has " + counted(runs.size(), "rank"));
            return runs;
        });
    }

private:
    const Options& options_;
    std::size_t count_;
    bool numbered_;
    std::shared_ptr<RemoteHost> host_;
};

/// Stores the results of one rank.
void takeResult(const RemoteModel& there, RankRun& run, const json& result) {
    readAnswer(there, [&] {
        SessionContent content;
        content.record = run.session->record();
        content.check = run.check = unpacked<CheckResult>(bytesOf(result, "check"));
        requireSound(content);
        run.timing = unpacked<std::optional<TimingResult>>(bytesOf(result, "timing"));
        run.training = unpacked<std::optional<TrainResult>>(bytesOf(result, "training"));
    });
}

}  // namespace

std::vector<RankRun> compileRanksThere(const Options& options, std::size_t count, const Progress& progress,
                                       const RankSource& source) {
    const AskedRanks ranks(options, count, source);
    const auto connection = ranks.connection(progress);
    const auto reply = connection->call("compileRanks", ranks.request(), progress);
    return ranks.compiled(connection, reply.id, reply.result);
}

std::shared_ptr<Debugger> debugRanksThere(const std::vector<RankRun>& runs, const Progress& progress) {
    const auto* first = dynamic_cast<const RankThere*>(runs.front().session.get());
    check(first != nullptr, "ranks on another machine were compiled there");
    const PlaceOfRanks& place = first->place();
    const auto reply = place.connection()->call("debugRanks", {{"ranks", place.id()}}, progress);
    std::vector<std::shared_ptr<const CompileRecord>> records;
    for (const RankRun& run : runs) records.push_back(run.session->record());
    return readAnswer(first->host()->there(), [&] {
        return makeRemoteDebugger(linkOn(place.connection(), reply.id), std::move(records), reply.result);
    });
}

std::vector<RankRun> checkRanksThere(const Options& options, std::size_t count, const RankJob& job,
                                     const Progress& progress, const RanksCompiled& compiled) {
    const AskedRanks ranks(options, count, {});
    const auto connection = ranks.connection(progress);
    json with = ranks.request();
    with["check"] = job.check;
    with["timing"] = bytesJson(packed(job.timing));
    with["training"] = bytesJson(packed(job.training));
    with["values"] = !job.values.empty();
    std::vector<RankRun> runs;
    const auto hear = [&](const json& event, std::uint64_t id) {
        if (event.contains("step")) {
            const auto step = readAnswer(ranks.there(), [&] { return unpacked<TrainStep>(bytesOf(event, "step")); });
            if (job.listener) job.listener(step);
            return;
        }
        if (!runs.empty()) throw Error("aotscope on '" + ranks.there().place + "' compiles the ranks twice");
        runs = ranks.compiled(connection, id, event);
        if (compiled) compiled(runs);
    };
    const json reply = connection->call("checkRanks", std::move(with), progress, hear).result;
    const json results = readAnswer(ranks.there(), [&] { return listOf(reply, "results"); });
    if (runs.size() != count || results.size() != count)
        throw Error("the answer of aotscope on '" + ranks.there().place + "' is damaged: ranks are missing");
    for (std::size_t rank = 0; rank < count; ++rank) {
        takeResult(ranks.there(), runs[rank], results[rank]);
        if (!job.values.empty())
            writeFileAtomically(ofRank(job.values.string(), rank), bytesOf(results[rank], "values"));
    }
    return runs;
}

}  // namespace aotscope
