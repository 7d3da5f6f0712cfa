#include "session/ranks/rank_runs.h"

#include "aten/random_state.h"
#include "aten/thread_limit.h"
#include "debug/stepped_ranks_debugger.h"
#include "device/device.h"
#include "distributed/process_world.h"
#include "distributed/rank_process.h"
#include "distributed/rank_turns.h"
#include "record/model_kind.h"
#include "remote/engine_program.h"
#include "session/open/executable_session.h"
#include "session/remote/remote_host.h"
#include "session/remote/remote_ranks.h"
#include "session/session.h"
#include "support/error.h"
#include "support/json/json_text.h"
#include "support/json/message_members.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace aotscope {

namespace {

/// Runs `job` for all ranks, which take turns.
void runTogether(const Options& options, std::size_t count, const std::function<void(std::size_t)>& job,
                 RankThreads threads = RankThreads::anywhere) {
    WorldShape shape = options.world;
    shape.size = count;
    RankTurns(shape, saveRandomState, threads).run(job);
}

RankRun compileOne(Options options, const Progress& progress) {
    RankRun run{std::move(options), {}, {}, {}};
    run.session = Session::open(run.options, progress);
    if (const std::string& error = run.session->record()->error; !error.empty()) throw Error(error);
    return run;
}

void requireExecutable(const RankRun& run) {
    if (const std::string why = run.session->whyNotExecutable(); !why.empty()) throw Error(why);
}

/// The part of one rank in the job of all. Only the first tells of its steps.
RankJob jobOfRank(RankJob job, std::size_t rank) {
    job.values = ofRank(job.values.string(), rank);
    if (job.training) job.training->data = ofRank(job.training->data.string(), rank);
    if (rank > 0) job.listener = nullptr;
    return job;
}

void runOne(RankRun& run, const RankJob& job, const Progress& progress) {
    requireExecutable(run);
    if (job.check) run.check = run.session->check(progress);
    if (job.timing) run.timing = run.session->time(*job.timing, progress);
    if (!job.values.empty()) run.session->saveValues(job.values, progress);
    if (job.training) run.training = run.session->train(*job.training, progress, job.listener);
}

std::shared_ptr<Debugger> debugOne(const RankRun& run, const Progress& progress) {
    requireExecutable(run);
    return run.session->debug(progress);
}

/// When the steps of this rank ran in one run of all ranks, on the clock of rank 0.
RankTimeline timelineOf(const RankRun& run, RankProcess& process, const Progress& progress) {
    ProcessWorld& world = process.world();
    const RankClock clock = world.compareClocks();
    const auto& session = dynamic_cast<const ExecutableSession&>(run.session->executable(progress));
    std::vector<StepMoment> moments = session.stepMoments([&world] { return world.waited(); }, progress);
    for (StepMoment& moment : moments) moment.begin -= clock.ahead.count(), moment.end -= clock.ahead.count();
    std::int64_t origin = moments.empty() ? std::numeric_limits<std::int64_t>::max() : moments.front().begin;
    std::size_t rank = 0;
    for (const std::string& begin : process.gather(jsonLine({{"begin", origin}}))) {
        origin = std::min(origin, readFromRank(rank, [&] { return integerOf(messageIn(begin), "begin"); }));
        ++rank;
    }
    const std::string first = process.fromFirst(jsonLine({{"begin", origin}}));
    origin = readFromRank(0, [&] { return integerOf(messageIn(first), "begin"); });
    RankTimeline timeline = timelineOfRun(moments, *session.record(), origin);
    timeline.clockWithin = std::chrono::duration<double, std::milli>(clock.within).count();
    return timeline;
}

/// Threads of this process.
class RanksHere final : public Ranks {
public:
    RanksHere(Options options, std::vector<RankRun> runs) : Ranks(std::move(runs)), options_(std::move(options)) {}

    std::vector<RankRun> run(const RankJob& job, const Progress& progress) const override {
        std::optional<ThreadLimit> timed;  // they share the cores of this machine, as under torchrun
        if (job.timing && runs().size() > 1) timed.emplace(1);
        auto done = runs();
        runTogether(
            options_, done.size(), [&](std::size_t rank) { runOne(done[rank], jobOfRank(job, rank), progress); },
            timed ? RankThreads::onOneCpu : RankThreads::anywhere);
        return done;
    }
    std::shared_ptr<Debugger> debug(const Progress& progress) const override {
        std::vector<std::shared_ptr<Debugger>> debuggers(runs().size());
        runTogether(options_, runs().size(),
                    [&](std::size_t rank) { debuggers[rank] = debugOne(runs()[rank], progress); });
        std::vector<std::shared_ptr<const CompileRecord>> records;
        for (const RankRun& run : runs()) records.push_back(run.session->record());
        return std::make_shared<SteppedRanksDebugger>(options_.world, std::move(debuggers), std::move(records));
    }

private:
    Options options_;
};

class SingleRank : public Ranks {
public:
    explicit SingleRank(RankRun run) : Ranks({std::move(run)}) {}

    std::vector<RankRun> run(const RankJob& job, const Progress& progress) const override {
        auto done = runs();
        runOne(done.front(), job, progress);
        return done;
    }
    std::shared_ptr<Debugger> debug(const Progress& progress) const override {
        return debugOne(runs().front(), progress);
    }
};

/// One of several, each of which is a process.
class ProcessRank final : public SingleRank {
public:
    ProcessRank(RankProcess& process, RankRun run) : SingleRank(std::move(run)), process_(process) {}

    std::vector<RankRun> run(const RankJob& job, const Progress& /*progress*/) const override {
        std::vector<RankRun> done;
        process_.run([&](const Progress& progress) {
            done = SingleRank::run(jobOfRank(job, process_.rank()), progress);
            if (job.timing) done.front().timeline = timelineOf(done.front(), process_, progress);
        });
        return done;
    }

private:
    RankProcess& process_;
};

}  // namespace

Options onOwnGpu(Options options, const RankProcess& process) {
    if (isRemote(options.model)) return options;
    options.device = gpuBehind(options.device, process.localRank());
    return options;
}

std::shared_ptr<const Ranks> compileRanks(const Options& given, std::size_t count, const Progress& progress,
                                          const RankSource& source) {
    if (count < 1 || count > kMostRankThreads)
        throw UsageError("--ranks " + std::to_string(count) + ": expected 1 to " + std::to_string(kMostRankThreads) +
                         "; use --world-size to plan more without running them");
    if (isRemote(given.model) || !isEngineFor(given.torch, torchVersion()))
        return compileRanksOn(hostOf(given, source.beside), given, count, progress, source);
    const Options options = source.numbered ? withNumberedFiles(given, count) : given;
    std::vector<Options> ofRanks;
    for (std::size_t rank = 0; rank < count; ++rank) ofRanks.push_back(optionsOfRank(options, rank, count));
    std::vector<RankRun> runs(count);
    runTogether(options, count, [&](std::size_t rank) { runs[rank] = compileOne(ofRanks[rank], progress); });
    return std::make_shared<RanksHere>(options, std::move(runs));
}

std::shared_ptr<const Ranks> compileRank(const Options& options, RankProcess& process) {
    requireHere(options.model);
    const Options own = onOwnGpu(optionsOfRank(options, process.rank(), process.count()), process);
    RankRun run;
    process.run([&](const Progress& progress) { run = compileOne(own, progress); });
    return std::make_shared<ProcessRank>(process, std::move(run));
}

std::shared_ptr<const Ranks> singleRank(std::shared_ptr<const Session> session) {
    return std::make_shared<SingleRank>(RankRun{session->options(), session, {}, {}});
}

}  // namespace aotscope
