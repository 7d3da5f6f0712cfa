#include "session/ranks/rank_runs.h"

#include "aten/random_state.h"
#include "debug/stepped_ranks_debugger.h"
#include "device/device.h"
#include "distributed/process_world.h"
#include "distributed/rank_process.h"
#include "distributed/rank_turns.h"
#include "record/model_kind.h"
#include "session/open/executable_session.h"
#include "session/remote/remote_ranks.h"
#include "session/session.h"
#include "support/error.h"
#include "support/json/json_text.h"
#include "support/json/message_members.h"
#include "support/quoted.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>

namespace aotscope {

namespace {

/// Timed ranks share the cores of this machine: LibTorch uses one thread per operation, as under torchrun, unless
/// OMP_NUM_THREADS is set.
class OneThreadEach {
public:
    OneThreadEach() {
        if (!std::getenv("OMP_NUM_THREADS")) at::set_num_threads(1);
    }
    ~OneThreadEach() { at::set_num_threads(before_); }
    OneThreadEach(const OneThreadEach&) = delete;
    OneThreadEach& operator=(const OneThreadEach&) = delete;

private:
    int before_ = at::get_num_threads();
};

/// Runs `job` for all ranks, which take turns.
void runTogether(const Options& options, std::size_t count, const std::function<void(std::size_t)>& job,
                 RankThreads threads = RankThreads::anywhere) {
    WorldShape shape = options.world;
    shape.size = count;
    RankTurns(shape, saveRandomState, threads).run(job);
}

void requireExecutable(const RankRun& run) {
    if (const std::string why = run.session->whyNotExecutable(); !why.empty()) throw Error(why);
}

void runRank(RankRun& run, const RankJob& job, const Progress& progress) {
    requireExecutable(run);
    const auto rank = static_cast<std::size_t>(run.options.world.rank);
    if (job.check) run.check = run.session->check(progress);
    if (job.timing) run.timing = run.session->time(*job.timing, progress);
    if (!job.values.empty()) run.session->saveValues(ofRank(job.values.string(), rank), progress);
    if (!job.training) return;
    TrainOptions training = *job.training;
    training.data = ofRank(training.data.string(), rank);
    run.training = run.session->train(training, progress, rank == 0 ? job.listener : nullptr);
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

}  // namespace

Options onOwnGpu(Options options, const RankProcess& process) {
    if (isRemote(options.model)) return options;
    options.device = gpuBehind(options.device, process.localRank());
    return options;
}

Options optionsOfProcess(const Options& options, const RankProcess& process) {
    return onOwnGpu(optionsOfRank(options, process.rank(), process.count()), process);
}

RankRun compileRank(Options options, const Progress& progress) {
    RankRun run{std::move(options), {}, {}, {}};
    run.session = Session::open(run.options, progress);
    if (const std::string& error = run.session->record()->error; !error.empty()) throw Error(error);
    return run;
}

std::vector<RankRun> compileRanks(const Options& given, std::size_t count, const Progress& progress,
                                  const RankSource& source) {
    if (count < 1 || count > kMostRankThreads)
        throw UsageError("--ranks " + std::to_string(count) + ": expected 1 to " + std::to_string(kMostRankThreads) +
                         "; use --world-size to plan more without running them");
    if (isRemote(given.model)) return compileRanksThere(given, count, progress, source);
    const Options options = source.numbered ? withNumberedFiles(given, count) : given;
    std::vector<Options> ofRanks;
    for (std::size_t rank = 0; rank < count; ++rank) ofRanks.push_back(optionsOfRank(options, rank, count));
    std::vector<RankRun> runs(count);
    runTogether(options, count, [&](std::size_t rank) { runs[rank] = compileRank(ofRanks[rank], progress); });
    return runs;
}

std::shared_ptr<Debugger> debugRank(const RankRun& run, const Progress& progress) {
    requireExecutable(run);
    return run.session->debug(progress);
}

std::shared_ptr<Debugger> debugRanks(const Options& options, const std::vector<RankRun>& runs,
                                     const Progress& progress) {
    if (isRemote(options.model)) return debugRanksThere(runs, progress);
    std::vector<std::shared_ptr<Debugger>> debuggers(runs.size());
    runTogether(options, runs.size(), [&](std::size_t rank) { debuggers[rank] = debugRank(runs[rank], progress); });
    std::vector<std::shared_ptr<const CompileRecord>> records;
    for (const RankRun& run : runs) records.push_back(run.session->record());
    return std::make_shared<SteppedRanksDebugger>(options.world, std::move(debuggers), std::move(records));
}

std::vector<RankRun> checkRanks(const Options& options, std::size_t count, const RankJob& job, const Progress& progress,
                                const RanksCompiled& compiled) {
    if (count > 1) requireOwnFiles("--values", job.values, "values");
    if (count > 1 && job.timing && options.device != "cpu")
        throw UsageError("--time: the " + std::to_string(count) +
                         " ranks of one process share a GPU and its time; start each in a separate process with "
                         "torchrun, mpirun or srun");
    if (isRemote(options.model)) return checkRanksThere(options, count, job, progress, compiled);
    std::optional<OneThreadEach> timed;
    if (job.timing && count > 1) timed.emplace();
    std::vector<RankRun> runs = compileRanks(options, count, progress);
    if (compiled) compiled(runs);
    runTogether(
        options, count, [&](std::size_t rank) { runRank(runs[rank], job, progress); },
        timed ? RankThreads::onOneCpu : RankThreads::anywhere);
    return runs;
}

RankRun checkRank(const Options& options, RankProcess& process, const RankJob& job,
                  const std::function<void(const RankRun&)>& compiled) {
    if (process.count() > 1) requireOwnFiles("--values", job.values, "values");
    requireHere(options.model);
    const Options ofThis = optionsOfProcess(options, process);
    RankRun run;
    process.run([&](const Progress& progress) {
        run = compileRank(ofThis, progress);
        if (compiled) compiled(run);
        runRank(run, job, progress);
        if (job.timing) run.timeline = timelineOf(run, process, progress);
    });
    return run;
}

}  // namespace aotscope
