#include "session/remote/remote_ranks.h"

#include "io/session/document.h"
#include "io/session/sound_content.h"
#include "remote/remote_options.h"
#include "session/open/session_saved.h"
#include "session/rank_options.h"
#include "session/remote/remote_debugger.h"
#include "session/remote/remote_host.h"
#include "support/file.h"
#include "support/names.h"
#include "support/temporary_folder.h"

#include <optional>

namespace aotscope {

namespace {

using nlohmann::json;
/// One of several ranks that run together remotely.
class RankThere final : public Session {
public:
    RankThere(std::shared_ptr<RemoteHost> host, const Options& options, std::shared_ptr<const CompileRecord> record)
        : Session(options, std::move(record)), host_(std::move(host)) {}

    std::shared_ptr<RemoteHost> host() const override { return host_; }

    std::string whyNotCompiled() const override { return whyNotExecutable(); }
    std::string whyNotExecutable() const override {
        const RemoteModel& there = host_->there();
        return "the rank " + (there.isHere() ? std::string() : "is on '" + there.place + "', where it ") +
               "can only run together with the others";
    }
    SessionContent content() const override { return contentOf(*this, {}); }

private:
    std::shared_ptr<RemoteHost> host_;
};

std::vector<RankRun> compiledRuns(const std::shared_ptr<RemoteHost>& host, const Options& options, std::size_t count,
                                  const json& reply) {
    return readAnswer(host->there(), [&] {
        if (reply.contains("use")) takeOptionUse(objectOf(reply, "use"), options);
        std::vector<RankRun> runs;
        for (const json& rank : listOf(reply, "ranks")) {
            if (runs.size() == count) throw Error("it has too many ranks");
            Options own = optionsOfRank(options, runs.size(), count);
            auto session = std::make_shared<RankThere>(host, own, decodeSession(bytesOf(rank, "session")).record);
            runs.push_back({std::move(own), std::move(session), {}, {}});
        }
        if (runs.size() != count) throw Error("it has " + counted(runs.size(), "rank"));
        return runs;
    });
}

/// Identified by the request that compiled them; they are kept there as long as this object.
class RanksThere final : public Ranks {
public:
    RanksThere(std::vector<RankRun> runs, std::shared_ptr<Connection> connection, std::uint64_t id)
        : Ranks(std::move(runs)), connection_(std::move(connection)), id_(id) {}
    RanksThere(const RanksThere&) = delete;
    RanksThere& operator=(const RanksThere&) = delete;
    ~RanksThere() override { connection_->drop(id_); }

    std::vector<RankRun> run(const RankJob& job, const Progress& progress) const override {
        RankJob asked = job;
        const bool sent = !job.values.empty() && !there().isHere();
        std::optional<TemporaryFolder> folder;
        if (sent) asked.values = "{rank}";  // the file is here
        else if (!job.values.empty()) asked.values = folder.emplace(connection_->exchange()).require() / "{rank}";
        json with = session_format::about(asked);
        with["ranks"] = id_;
        connection_->leaveIfItHangs();
        const json reply =
            connection_->call("runRanks", std::move(with), progress, session_format::stepsTo(there(), job.listener))
                .result;
        std::vector<RankRun> done;
        std::vector<std::string_view> values;
        readAnswer(there(), [&] {
            done = session_format::unpackedOf<std::vector<RankRun>>(reply, "value");
            for (const json& file : listOf(reply, "files")) values.push_back(bytesOf(file, "file"));
            if (done.size() != runs().size() || values.size() != (sent ? done.size() : 0))
                throw Error("ranks are missing");
            for (std::size_t rank = 0; rank < done.size(); ++rank) {
                done[rank].options = runs()[rank].options;
                done[rank].session = runs()[rank].session;
                SessionContent content;
                content.record = done[rank].session->record();
                content.check = done[rank].check;
                requireSound(content);
            }
        });
        for (std::size_t rank = 0; rank < values.size(); ++rank)
            writeFileAtomically(ofRank(job.values.string(), rank), values[rank]);
        for (std::size_t rank = 0; folder && rank < done.size(); ++rank)
            copyFileAtomically(folder->path() / std::to_string(rank), ofRank(job.values.string(), rank));
        return done;
    }
    std::shared_ptr<Debugger> debug(const Progress& progress) const override {
        connection_->leaveIfItHangs();
        const auto reply = connection_->call("debugRanks", {{"ranks", id_}}, progress);
        std::vector<std::shared_ptr<const CompileRecord>> records;
        for (const RankRun& run : runs()) records.push_back(run.session->record());
        return readAnswer(there(), [&] {
            return makeRemoteDebugger(linkOn(connection_, reply.id), std::move(records), reply.result);
        });
    }

private:
    const RemoteModel& there() const { return runs().front().session->host()->there(); }

    std::shared_ptr<Connection> connection_;
    std::uint64_t id_;
};

}  // namespace

std::shared_ptr<const Ranks> compileRanksOn(const std::shared_ptr<RemoteHost>& host, const Options& given,
                                            std::size_t count, const Progress& progress, const RankSource& source) {
    const auto connection = host->connection(progress, codeFor(given));
    const auto reply = connection->call(
        "compileRanks", {{"options", allOptionsJson(given)}, {"count", count}, {"numbered", source.numbered}},
        progress);
    return std::make_shared<RanksThere>(compiledRuns(host, given, count, reply.result), connection, reply.id);
}

}  // namespace aotscope
