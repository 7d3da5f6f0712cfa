#include "cli/engine/log_flag.h"
#include "cli/engine/rank_flags.h"
#include "cli/engine/run_ranks.h"
#include "cli/exit_code.h"
#include "cli/options_in_text.h"
#include "cli/require_compiled.h"
#include "cli/session_flags.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "cost/estimated_times.h"
#include "cost/exchange_links.h"
#include "cost/known_machines.h"
#include "cost/runtime_model.h"
#include "io/communication_text.h"
#include "io/differences/recompilations_text.h"
#include "io/profile_text.h"
#include "io/report.h"
#include "io/session/model_reference.h"
#include "io/session/session_file.h"
#include "io/tables/step_table.h"
#include "io/text_report.h"
#include "io/timing_text.h"
#include "io/trace/chrome_trace.h"
#include "ir/printer.h"
#include "partition/plan_function.h"
#include "partition/what_if.h"
#include "passes/repartition.h"
#include "record/check_reference.h"
#include "record/options/remote_model.h"
#include "record/results/fallback_list.h"
#include "session/remote/remote_files.h"
#include "session/session.h"
#include "session/session_profile.h"
#include "support/file.h"
#include "support/json/json_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <optional>

namespace aotscope {

namespace {

constexpr std::size_t kLargestSaved = 10, kSlowestSteps = 10, kProfileRows = 15;

/// Results of this run, including those saved with the session.
struct Findings {
    std::optional<CheckResult> check;
    std::optional<BisectResult> bisected;
    std::optional<TimingResult> timing;
    std::optional<VariantTiming> against;
    std::optional<JoinedProfile> profile;

    const CheckResult* checkOrNull() const { return check ? &*check : nullptr; }
    const TimingResult* timingOrNull() const { return timing ? &*timing : nullptr; }
};

class RunCommand final : public Subcommand {
public:
    explicit RunCommand(CLI::App& parent);

    void check(Options& options) override;
    std::vector<const Options*> otherRuns() const override {
        return against_ ? std::vector{&*against_} : std::vector<const Options*>();
    }
    std::vector<NamedFile> filesWritten() const override;
    int run(const Options& options) override;

private:
    void addTimingOptions();
    std::shared_ptr<const Session> openVariant(const std::shared_ptr<const Session>& session) const;
    void requirePossible(const Session& session, const Options& options) const;
    Findings findOut(const std::shared_ptr<const Session>& session, const Session* variant) const;
    void writeReport(const Session& session, const Findings& found) const;
    void save(const Session& session, const Findings& found) const;
    void exportTimes(const CompileRecord& record, const std::optional<TimingResult>& timing) const;
    void print(const CompileRecord& record, const Findings& found) const;
    void printCommunication(const CompileRecord& record, const Options& options, const TimingResult* timing) const;
    void printWhatMovesChange(const CompileRecord& record, const Options& options) const;

    bool check_ = false, bisect_ = false, embed_ = false, graphs_ = false;
    int iterations_ = 0, warmUps_ = TimingOptions{}.warmUps;
    std::string againstText_;
    std::optional<Options> against_;                                  ///< of the other variant
    std::filesystem::path trace_, csv_, report_, values_, timeline_;  ///< empty: not wanted
    std::filesystem::path profile_;                                   ///< to read; empty: none
    std::filesystem::path session_;                                   ///< to write; empty: not written
    LogFlag log_;
    RankFlags ranks_;
};

RunCommand::RunCommand(CLI::App& parent)
    : Subcommand(parent, "run", "compile a model; check, time and report it",
                 "aotscope run sample:resnet18 --check --time 10 --report report.json\n  aotscope run "
                 "sample:resnet18 --time 20 --against '--partition default'\n  aotscope run -e "
                 "'def f(x): return x.sin().sum()' --inputs 'f32[4, 5] grad'",
                 Takes::model) {
    app_.add_flag("--graphs", graphs_,
                  "print the joint, forward and backward graphs, or the inference graph; default with --code");
    app_.add_flag("--check", check_, "compare with eager: outputs, gradients, inputs after the run, aliasing");
    app_.add_flag("--bisect", bisect_, "with --check: find the first pass and node whose values differ from eager's")
        ->needs("--check");
    app_.get_option("--at")->needs("--check");
    addTimingOptions();
    log_.addTo(app_);
    app_.add_option("--report", report_, "write everything as JSON")->type_name("FILE.json");
    app_.add_option("--values", values_, "write outputs and gradients of one run, for torch.load")
        ->type_name("FILE.pt");
    app_.get_option("--save")
        ->description(
            "FILE.aotscope: write a session file, to open later or elsewhere; NODE: save this node of the "
            "joint graph if the backward can use it (repeatable)")
        ->type_name("FILE.aotscope|NODE");
    app_.add_option(
            "--profile", profile_,
            "lay a profile of torch.profiler (prof.export_chrome_trace, also .gz) on the graphs: the node, module "
            "and source line of every kernel, or on a CPU of every operation")
        ->type_name("FILE.json");
    app_.add_option("--timeline", timeline_,
                    "write the timeline of computation and communication as a Chrome trace, for Perfetto: estimated, "
                    "with --time also measured, and with --ranks for each rank")
        ->type_name("FILE.json");
    ranks_.addTo(app_,
                 "run all N ranks of a distributed program in this process and check each against eager; {rank} in the "
                 "names of MODEL, --inputs, --weights and --values stands for a rank's number");
    app_.add_flag("--embed", embed_, "with --save FILE.aotscope: include the model's file");
}

void RunCommand::addTimingOptions() {
    app_.add_option("--time", iterations_, "time eager and compiled runs, N of each, interleaved, and every step")
        ->type_name("N")
        ->check(CLI::Range(1, 1000000));
    app_.add_option("--warm-up", warmUps_, "with --time: warm-up runs (not measured)")
        ->type_name("W")
        ->check(CLI::Range(0, 1000000))
        ->capture_default_str()
        ->needs("--time");
    app_.add_option("--against", againstText_,
                    "with --time: also run the model with these options changed, interleaved with this run, and print "
                    "the ratio of the times with its confidence interval")
        ->type_name("\"OPTIONS\"")
        ->needs("--time");
    app_.add_option("--trace", trace_, "write the times as a Chrome trace, for Perfetto")->type_name("FILE.json");
    addCsvFile(app_, csv_, "write the times of all steps as a table; with --ranks, the check of each rank");
}

void RunCommand::check(Options& options) {
    graphs_ |= given("--code");
    session_ = takeSessionFile(options.partition.save);
    if (embed_ && session_.empty()) throw UsageError("--embed: needs --save FILE.aotscope");
    ranks_.check(options);
    if (ranks_.given()) requireOptionsOfRanks(ranks_, options);
    if (ranks_.given() && !session_.empty())
        throw UsageError("--save " + session_.string() +
                         ": a session has one rank; simulate it with --world-size and --rank");
    if (ranks_.given() && !profile_.empty())
        throw UsageError("--profile " + profile_.string() +
                         ": a profile has one rank; lay it on that one with --world-size and --rank");
    if (given("--against")) against_ = variantOptions({app_.get_parent(), &app_}, againstText_);
    const bool runs = check_ || iterations_ > 0 || !values_.empty() || !session_.empty() || ranks_.given();
    for (const Options* each : {&options, against_ ? &*against_ : nullptr}) {
        if (each && runs) each->given->plan(GivenOptions::Purpose::run);
        if (each) each->given->plan({GivenOptions::Purpose::kernels, GivenOptions::Purpose::estimate});
    }
}

std::vector<NamedFile> RunCommand::filesWritten() const {
    return {{"--report", report_}, {"--trace", trace_},  {"--csv", csv_},
            {"--values", values_}, {"--save", session_}, {"--timeline", timeline_}};
}

/// Null if not wanted, or if there is nothing to compare with.
std::shared_ptr<const Session> RunCommand::openVariant(const std::shared_ptr<const Session>& session) const {
    if (!against_ || !session->record()->error.empty()) return nullptr;
    auto other = Session::open(*against_, {}, session);
    requireCompiled(*other->record());
    requireUsed(*against_);
    return other;
}

/// Throws UsageError for requests that these graphs cannot satisfy, before anything runs.
void RunCommand::requirePossible(const Session& session, const Options& options) const {
    if (check_ || iterations_ > 0 || !values_.empty())
        requireExecutable(session, check_ ? "--check" : iterations_ > 0 ? "--time" : "--values");
    const bool timed = iterations_ > 0 || (session.saved() && session.saved()->timing);
    for (const auto& [option, file] : {std::pair{"--trace", trace_}, std::pair{"--csv", csv_}})
        if (!file.empty() && !timed)
            throw UsageError(std::string(option) + " " + file.string() +
                             ": there are no times to write; add --time N, or give a session that has them");
    const CompileRecord& record = *session.record();
    if (timeline_.empty() || !record.error.empty()) return;
    const Communication found =
        communicationOf(record, options.world, linksNamed(options.links), machineOf(options.device));
    if (found.graphs.empty())
        throw UsageError("--timeline " + timeline_.string() + ": " +
                         (found.problem.empty() ? "the graphs have no collectives" : found.problem));
}

Findings RunCommand::findOut(const std::shared_ptr<const Session>& session, const Session* variant) const {
    Findings found;
    if (const SessionContent* saved = session->saved())
        found.check = saved->check, found.bisected = saved->bisect, found.timing = saved->timing;
    const bool compiled = session->record()->error.empty();
    if (compiled && check_) found.check = session->check({});
    if (check_ && bisect_) found.bisected = session->bisect({});
    if (compiled && iterations_ > 0) found.timing = session->time({iterations_, warmUps_}, {});
    if (compiled && !values_.empty()) session->saveValues(values_, {});
    if (compiled && !profile_.empty()) found.profile = profileOn(*session, profile_, {});
    if (!variant) return found;
    found.against = session->timeAgainst(*variant, {iterations_, warmUps_}, {});
    found.against->first = "this";
    found.against->second = againstText_;
    return found;
}

void RunCommand::writeReport(const Session& session, const Findings& found) const {
    const auto report =
        makeReport(session.options(), *session.record(), machineOf(session.options().device),
                   {found.checkOrNull(), found.timingOrNull(), found.bisected ? &*found.bisected : nullptr,
                    found.against ? &*found.against : nullptr, found.profile ? &*found.profile : nullptr});
    writeFileAtomically(report_, jsonText(report));
}

void RunCommand::save(const Session& session, const Findings& found) const {
    SessionContent content = session.content();
    content.check = found.check;
    content.bisect = found.bisected;
    content.timing = found.timing;
    const auto models = filesOf(session.host());
    if (embed_) embedModel(content, *models);
    writeSessionFile(session_, content, {}, *models);
}

/// Writes the times of steps for other programs.
void RunCommand::exportTimes(const CompileRecord& record, const std::optional<TimingResult>& timing) const {
    if (!trace_.empty()) writeFileAtomically(trace_, jsonText(chromeTrace(*timing, record)));
    if (!csv_.empty()) writeCsv(csv_, stepTable(*timing, record, nullptr));
}

void RunCommand::print(const CompileRecord& record, const Findings& found) const {
    std::cout << summaryText(record);
    if (graphs_)
        for (const GraphKind kind : {GraphKind::joint, GraphKind::forward, GraphKind::backward, GraphKind::inference})
            if (const auto graph = record.graph(kind)) std::cout << "\n" << printGraph(*graph);
    if (record.crossCheck) std::cout << "\n" << crossCheckText(*record.crossCheck);
    if (record.partition) std::cout << "\n" << partitionText(*record.partition, kLargestSaved);
    if (found.check)
        std::cout << "\n"
                  << checkText(*found.check, checkReference(record))
                  << recompilationsText(record, found.check->recompilations);
    if (found.bisected) std::cout << bisectText(*found.bisected);
    if (found.timing) std::cout << "\n" << timingText(*found.timing, record, kSlowestSteps);
    if (found.against) std::cout << "\n" << variantTimingText(*found.against);
    if (found.profile) std::cout << "\n" << profileText(*found.profile, record, kProfileRows);
    const auto& compilers = compilersIn(record, found.checkOrNull(), found.timingOrNull());
    if (!compilers.empty()) std::cout << "\n" << compilersText(compilers);
    if (!session_.empty()) std::cout << "\nsession written to " << session_.string() << "\n";
}

void RunCommand::printCommunication(const CompileRecord& record, const Options& options,
                                    const TimingResult* timing) const {
    const Links links = linksNamed(options.links);
    const Communication found = communicationOf(record, options.world, links, machineOf(options.device));
    if (!timeline_.empty())
        writeFileAtomically(timeline_, jsonText(communicationTrace(found.graphs, record.model.name, timing)));
    if (const std::string text = communicationText(found, options.world, links); !text.empty())
        std::cout << "\n" << text;
    printWhatMovesChange(record, options);
    if (timing && !found.graphs.empty() && options.device == "cpu" && !isRemote(options.model))
        // Collectives are timed as in this process, without the other ranks.
        printAgainstMeasured(record, options, *timing,
                             costsOfThisProcess(static_cast<std::size_t>(found.largestGroup()),
                                                ExchangedIn::absentWorld, machineModel()));
}

/// Compares with the same partition whose collectives are not moved or repeated (--reshard-after-forward).
void RunCommand::printWhatMovesChange(const CompileRecord& record, const Options& options) const {
    PartitionOptions without = options.partition;
    without.moves = {};
    without.reshard.clear();
    const auto joint = record.graph(GraphKind::joint);
    const bool same = !options.partition.moves.any() && options.partition.reshard.empty();
    if (same || !joint || !record.partition || record.partition->algorithm == PartitionAlgorithm::printed) return;
    const NodeTimes times = estimatedTimes(options, record, machineModel(options.device));
    const FunctionMetadata& metadata = record.knownMetadata();
    const auto figures = [&](const Partition& partition) {
        const VariantCosts costs = costsOf(partition, metadata, times);
        return CommunicationFigures{costs.sentBytes, costs.peakBytes, costs.savedBytes, costs.exposedMs,
                                    costs.simulatedMs};
    };
    const RuntimeModel model = rooflineTimes(machineOf(options.device), record.costs);
    const auto before = whatIfOn(record, model, planByFunction)->partition(without);
    std::cout << "\n" << changedCommunicationText(figures(*before), figures(*record.partition));
}

int RunCommand::run(const Options& options) {
    if (ranks_.given()) {
        const bool times = iterations_ > 0;
        return runRanks(ranks_, options,
                        {values_, times ? std::optional(TimingOptions{iterations_, warmUps_}) : std::nullopt},
                        {report_, timeline_, csv_}, bisect_);
    }
    const auto session =
        openQuietly(options,
                    {"--graphs", "--check", "--bisect", "--time", "--warm-up", "--against", "--trace", "--csv", "--log",
                     "--report", "--values", "--timeline", "--profile", "--embed", session_.empty() ? "" : "--save"},
                    {});
    const CompileRecord& record = *session->record();
    requirePossible(*session, options);
    const auto variant = openVariant(session);
    log_.print(record);
    const Findings found = findOut(session, variant.get());
    if (found.check) requireNoFallback(*found.check, options);
    if (found.bisected) requireNoFallback(*found.bisected, options);
    if (!report_.empty()) writeReport(*session, found);
    if (!session_.empty()) save(*session, found);
    requireCompiled(record);
    exportTimes(record, found.timing);
    print(record, found);
    printCommunication(record, options, found.timingOrNull());
    return check_ ? exitCodeOf(found.check->verdict()) : kFine;
}

}  // namespace

std::unique_ptr<Subcommand> makeRunCommand(CLI::App& parent) { return std::make_unique<RunCommand>(parent); }

}  // namespace aotscope
