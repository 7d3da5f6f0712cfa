#include "session/serve/served_ranks.h"

#include "io/session/document.h"
#include "io/session/packed.h"
#include "remote/frame.h"
#include "remote/remote_options.h"
#include "remote/result_fields.h"
#include "session/ranks/rank_runs.h"
#include "session/serve/served_requests.h"
#include "support/file.h"
#include "support/temporary_folder.h"

#include <cerrno>
#include <cstring>

namespace aotscope {

namespace {

using nlohmann::json;
using session_format::packed;
using session_format::unpacked;

json sessionsOf(const std::vector<RankRun>& runs, const Options& options) {
    json list = json::array();
    for (const RankRun& run : runs) {
        SessionContent content;
        content.record = run.session->record();
        list.push_back({{"session", bytesJson(encodeSession(std::move(content)))}});
    }
    return {{"ranks", std::move(list)}, {"use", optionUseJson(options)}};
}

}  // namespace

json answerRanks(const Options& options, const ServedRequest& request) {
    const auto count = static_cast<std::size_t>(numberOf(request.with, "count"));
    const RankSource source{truthOf(request.with, "numbered"), nullptr};
    if (!request.with.contains("check")) {
        auto runs = compileRanks(options, count, request.progress, source);
        json reply = sessionsOf(runs, options);
        request.objects.keep(request.id, std::make_shared<const RanksHere>(RanksHere{options, std::move(runs)}));
        return reply;
    }
    RankJob job;
    job.check = truthOf(request.with, "check");
    job.timing = unpacked<std::optional<TimingOptions>>(bytesOf(request.with, "timing"));
    job.training = unpacked<std::optional<TrainOptions>>(bytesOf(request.with, "training"));
    job.listener = [&](const TrainStep& step) { request.tell({{"step", bytesJson(packed(step))}}); };
    const TemporaryFolder folder;
    if (truthOf(request.with, "values")) {
        if (!folder.exists()) throw Error(std::string("cannot create a temporary folder: ") + std::strerror(errno));
        job.values = folder.path() / "{rank}";
    }
    auto runs = checkRanks(options, count, job, request.progress,
                           [&](const std::vector<RankRun>& compiled) { request.tell(sessionsOf(compiled, options)); });
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
    request.objects.keep(request.id, std::make_shared<const RanksHere>(RanksHere{options, std::move(runs)}));
    return {{"results", std::move(results)}};
}

std::shared_ptr<Debugger> debugRanksHere(const ServedRequest& request) {
    const auto ranks = request.objects.ranks(numberOf(request.with, "ranks"));
    return debugRanks(ranks->options, ranks->runs, request.progress);
}

}  // namespace aotscope
